package Daedal "Parts to build models from, written in the language itself"
end Daedal;
