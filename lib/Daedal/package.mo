package Daedal "Parts and functions for models, written in the modelling language"
end Daedal;
