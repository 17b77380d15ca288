within Modelica;
package Units "Types with units, and conversions"
  package SI "Types of quantities in SI units"
    // Space and time
    type Angle = Real(quantity = "Angle", unit = "rad", displayUnit = "deg");
    type SolidAngle = Real(quantity = "SolidAngle", unit = "sr");
    type Length = Real(quantity = "Length", unit = "m");
    type PathLength = Length;
    type Position = Length;
    type Distance = Length(min = 0);
    type Breadth = Length(min = 0);
    type Height = Length(min = 0);
    type Thickness = Length(min = 0);
    type Radius = Length(min = 0);
    type Diameter = Length(min = 0);
    type Area = Real(quantity = "Area", unit = "m2");
    type Volume = Real(quantity = "Volume", unit = "m3");
    type Time = Real(quantity = "Time", unit = "s");
    type Duration = Time;
    type AngularVelocity = Real(quantity = "AngularVelocity", unit = "rad/s");
    type AngularAcceleration = Real(quantity = "AngularAcceleration", unit = "rad/s2");
    type AngularJerk = Real(quantity = "AngularJerk", unit = "rad/s3");
    type Velocity = Real(quantity = "Velocity", unit = "m/s");
    type Acceleration = Real(quantity = "Acceleration", unit = "m/s2");
    type Jerk = Real(quantity = "Jerk", unit = "m/s3");
    type Period = Real(quantity = "Time", unit = "s");
    type Frequency = Real(quantity = "Frequency", unit = "Hz");
    type AngularFrequency = Real(quantity = "AngularFrequency", unit = "rad/s");
    type Wavelength = Real(quantity = "Wavelength", unit = "m");
    type WaveNumber = Real(quantity = "WaveNumber", unit = "m-1");
    type CircularWaveNumber = Real(quantity = "CircularWaveNumber", unit = "rad/m");
    type AmplitudeLevelDifference = Real(quantity = "AmplitudeLevelDifference", unit = "dB");
    type PowerLevelDifference = Real(quantity = "PowerLevelDifference", unit = "dB");
    type DampingCoefficient = Real(quantity = "DampingCoefficient", unit = "s-1");
    type LogarithmicDecrement = Real(quantity = "LogarithmicDecrement", unit = "1");
    type AttenuationCoefficient = Real(quantity = "AttenuationCoefficient", unit = "m-1");
    type PhaseCoefficient = Real(quantity = "PhaseCoefficient", unit = "m-1");
    type PropagationCoefficient = Real(quantity = "PropagationCoefficient", unit = "m-1");
    // Mechanics
    type Mass = Real(quantity = "Mass", unit = "kg", min = 0);
    type Density = Real(quantity = "Density", unit = "kg/m3", min = 0, displayUnit = "g/cm3");
    type RelativeDensity = Real(quantity = "RelativeDensity", unit = "1", min = 0);
    type SpecificVolume = Real(quantity = "SpecificVolume", unit = "m3/kg", min = 0);
    type LinearDensity = Real(quantity = "LinearDensity", unit = "kg/m", min = 0);
    type SurfaceDensity = Real(quantity = "SurfaceDensity", unit = "kg/m2", min = 0);
    type Momentum = Real(quantity = "Momentum", unit = "kg.m/s");
    type Impulse = Real(quantity = "Impulse", unit = "N.s");
    type AngularMomentum = Real(quantity = "AngularMomentum", unit = "kg.m2/s");
    type AngularImpulse = Real(quantity = "AngularImpulse", unit = "N.m.s");
    type MomentOfInertia = Real(quantity = "MomentOfInertia", unit = "kg.m2");
    type Inertia = MomentOfInertia;
    type Force = Real(quantity = "Force", unit = "N");
    type Weight = Force;
    type Torque = Real(quantity = "Torque", unit = "N.m");
    type MomentOfForce = Torque;
    type ElectricalTorqueConstant = Real(quantity = "ElectricalTorqueConstant", unit = "N.m/A");
    type ElectricalForceConstant = Real(quantity = "ElectricalForceConstant", unit = "N/A");
    type TranslationalSpringConstant = Real(quantity = "TranslationalSpringConstant", unit = "N/m");
    type TranslationalDampingConstant = Real(quantity = "TranslationalDampingConstant", unit = "N.s/m");
    type RotationalSpringConstant = Real(quantity = "RotationalSpringConstant", unit = "N.m/rad");
    type RotationalDampingConstant = Real(quantity = "RotationalDampingConstant", unit = "N.m.s/rad");
    type ImpulseFlowRate = Real(quantity = "ImpulseFlowRate", unit = "N");
    type AngularImpulseFlowRate = Real(quantity = "AngularImpulseFlowRate", unit = "N.m");
    type Pressure = Real(quantity = "Pressure", unit = "Pa", displayUnit = "bar");
    type AbsolutePressure = Pressure(min = 0, nominal = 1e5);
    type PressureDifference = Pressure;
    type BulkModulus = AbsolutePressure;
    type Stress = Real(quantity = "Stress", unit = "Pa");
    type NormalStress = Stress;
    type ShearStress = Stress;
    type Strain = Real(quantity = "Strain", unit = "1");
    type LinearStrain = Strain;
    type ShearStrain = Strain;
    type VolumeStrain = Strain;
    type PoissonNumber = Real(quantity = "PoissonNumber", unit = "1");
    type ModulusOfElasticity = Stress;
    type ShearModulus = Stress;
    type SecondMomentOfArea = Real(quantity = "SecondMomentOfArea", unit = "m4");
    type SecondPolarMomentOfArea = Real(quantity = "SecondPolarMomentOfArea", unit = "m4");
    type SectionModulus = Real(quantity = "SectionModulus", unit = "m3");
    type CoefficientOfFriction = Real(quantity = "CoefficientOfFriction", unit = "1");
    type DynamicViscosity = Real(quantity = "DynamicViscosity", unit = "Pa.s", min = 0);
    type KinematicViscosity = Real(quantity = "KinematicViscosity", unit = "m2/s", min = 0);
    type SurfaceTension = Real(quantity = "SurfaceTension", unit = "N/m");
    type Work = Real(quantity = "Work", unit = "J");
    type Energy = Real(quantity = "Energy", unit = "J");
    type EnergyDensity = Real(quantity = "EnergyDensity", unit = "J/m3");
    type PotentialEnergy = Energy;
    type KineticEnergy = Energy;
    type Power = Real(quantity = "Power", unit = "W");
    type EnergyFlowRate = Power;
    type EnthalpyFlowRate = Real(quantity = "EnthalpyFlowRate", unit = "W");
    type Efficiency = Real(quantity = "Efficiency", unit = "1", min = 0);
    type MassFlowRate = Real(quantity = "MassFlowRate", unit = "kg/s");
    type VolumeFlowRate = Real(quantity = "VolumeFlowRate", unit = "m3/s");
    type MomentumFlux = Real(quantity = "MomentumFlux", unit = "N");
    type AngularMomentumFlux = Real(quantity = "AngularMomentumFlux", unit = "N.m");
    type DimensionlessRatio = Real(quantity = "DimensionlessRatio", unit = "1");
    // Heat
    type ThermodynamicTemperature = Real(quantity = "ThermodynamicTemperature", unit = "K",
        min = 0, start = 288.15, nominal = 300, displayUnit = "degC");
    type Temperature = ThermodynamicTemperature;
    type TemperatureDifference = Real(quantity = "ThermodynamicTemperature", unit = "K");
    type TemperatureSlope = Real(quantity = "TemperatureSlope", unit = "K/s");
    type LinearTemperatureCoefficient = Real(quantity = "LinearTemperatureCoefficient", unit = "1/K");
    type QuadraticTemperatureCoefficient = Real(quantity = "QuadraticTemperatureCoefficient", unit = "1/K2");
    type LinearExpansionCoefficient = Real(quantity = "LinearExpansionCoefficient", unit = "1/K");
    type CubicExpansionCoefficient = Real(quantity = "CubicExpansionCoefficient", unit = "1/K");
    type RelativePressureCoefficient = Real(quantity = "RelativePressureCoefficient", unit = "1/K");
    type PressureCoefficient = Real(quantity = "PressureCoefficient", unit = "Pa/K");
    type Compressibility = Real(quantity = "Compressibility", unit = "1/Pa");
    type IsothermalCompressibility = Compressibility;
    type IsentropicCompressibility = Compressibility;
    type Heat = Real(quantity = "Energy", unit = "J");
    type HeatFlowRate = Real(quantity = "Power", unit = "W");
    type HeatFlux = Real(quantity = "HeatFlux", unit = "W/m2");
    type DensityOfHeatFlowRate = Real(quantity = "DensityOfHeatFlowRate", unit = "W/m2");
    type ThermalConductivity = Real(quantity = "ThermalConductivity", unit = "W/(m.K)");
    type CoefficientOfHeatTransfer = Real(quantity = "CoefficientOfHeatTransfer", unit = "W/(m2.K)");
    type SurfaceCoefficientOfHeatTransfer = CoefficientOfHeatTransfer;
    type ThermalInsulance = Real(quantity = "ThermalInsulance", unit = "m2.K/W");
    type ThermalResistance = Real(quantity = "ThermalResistance", unit = "K/W");
    type ThermalConductance = Real(quantity = "ThermalConductance", unit = "W/K");
    type ThermalDiffusivity = Real(quantity = "ThermalDiffusivity", unit = "m2/s");
    type HeatCapacity = Real(quantity = "HeatCapacity", unit = "J/K");
    type SpecificHeatCapacity = Real(quantity = "SpecificHeatCapacity", unit = "J/(kg.K)");
    type SpecificHeatCapacityAtConstantPressure = SpecificHeatCapacity;
    type SpecificHeatCapacityAtConstantVolume = SpecificHeatCapacity;
    type SpecificHeatCapacityAtSaturation = SpecificHeatCapacity;
    type RatioOfSpecificHeatCapacities = Real(quantity = "RatioOfSpecificHeatCapacities", unit = "1");
    type IsentropicExponent = Real(quantity = "IsentropicExponent", unit = "1");
    type Entropy = Real(quantity = "Entropy", unit = "J/K");
    type EntropyFlowRate = Real(quantity = "EntropyFlowRate", unit = "J/(K.s)");
    type SpecificEntropy = Real(quantity = "SpecificEntropy", unit = "J/(kg.K)");
    type InternalEnergy = Heat;
    type Enthalpy = Heat;
    type HelmholtzFreeEnergy = Heat;
    type GibbsFreeEnergy = Heat;
    type SpecificEnergy = Real(quantity = "SpecificEnergy", unit = "J/kg");
    type SpecificInternalEnergy = SpecificEnergy;
    type SpecificEnthalpy = SpecificEnergy;
    type SpecificHelmholtzFreeEnergy = SpecificEnergy;
    type SpecificGibbsFreeEnergy = SpecificEnergy;
    type MassieuFunction = Real(quantity = "MassieuFunction", unit = "J/K");
    type PlanckFunction = Real(quantity = "PlanckFunction", unit = "J/K");
    type DerDensityByEnthalpy = Real(quantity = "DerDensityByEnthalpy", unit = "kg.s2/m5");
    type DerDensityByPressure = Real(quantity = "DerDensityByPressure", unit = "s2/m2");
    type DerDensityByTemperature = Real(quantity = "DerDensityByTemperature", unit = "kg/(m3.K)");
    type DerEnthalpyByPressure = Real(quantity = "DerEnthalpyByPressure", unit = "J.m.s2/kg2");
    type DerEnergyByDensity = Real(quantity = "DerEnergyByDensity", unit = "J.m3/kg");
    type DerEnergyByPressure = Real(quantity = "DerEnergyByPressure", unit = "J.m.s2/kg");
    type DerPressureByDensity = Real(quantity = "DerPressureByDensity", unit = "Pa.m3/kg");
    type DerPressureByTemperature = Real(quantity = "DerPressureByTemperature", unit = "Pa/K");
    // Electricity and magnetism
    type ElectricCurrent = Real(quantity = "ElectricCurrent", unit = "A");
    type Current = ElectricCurrent;
    type CurrentSlope = Real(quantity = "CurrentSlope", unit = "A/s");
    type ElectricCharge = Real(quantity = "ElectricCharge", unit = "C");
    type Charge = ElectricCharge;
    type VolumeDensityOfCharge = Real(quantity = "VolumeDensityOfCharge", unit = "C/m3", min = 0);
    type SurfaceDensityOfCharge = Real(quantity = "SurfaceDensityOfCharge", unit = "C/m2", min = 0);
    type ElectricFieldStrength = Real(quantity = "ElectricFieldStrength", unit = "V/m");
    type ElectricPotential = Real(quantity = "ElectricPotential", unit = "V");
    type Voltage = ElectricPotential;
    type PotentialDifference = ElectricPotential;
    type ElectromotiveForce = ElectricPotential;
    type VoltageSecond = Real(quantity = "VoltageSecond", unit = "V.s");
    type VoltageSlope = Real(quantity = "VoltageSlope", unit = "V/s");
    type ElectricFluxDensity = Real(quantity = "ElectricFluxDensity", unit = "C/m2");
    type ElectricFlux = Real(quantity = "ElectricFlux", unit = "C");
    type Capacitance = Real(quantity = "Capacitance", unit = "F", min = 0);
    type CapacitancePerArea = Real(quantity = "CapacitancePerArea", unit = "F/m2");
    type Permittivity = Real(quantity = "Permittivity", unit = "F/m", min = 0);
    type PermittivityOfVacuum = Permittivity;
    type RelativePermittivity = Real(quantity = "RelativePermittivity", unit = "1", min = 0);
    type ElectricSusceptibility = Real(quantity = "ElectricSusceptibility", unit = "1");
    type ElectricPolarization = Real(quantity = "ElectricPolarization", unit = "C/m2");
    type Electrization = Real(quantity = "Electrization", unit = "V/m");
    type ElectricDipoleMoment = Real(quantity = "ElectricDipoleMoment", unit = "C.m");
    type CurrentDensity = Real(quantity = "CurrentDensity", unit = "A/m2");
    type LinearCurrentDensity = Real(quantity = "LinearCurrentDensity", unit = "A/m");
    type MagneticFieldStrength = Real(quantity = "MagneticFieldStrength", unit = "A/m");
    type MagneticPotential = Real(quantity = "MagneticPotential", unit = "A");
    type MagneticPotentialDifference = Real(quantity = "MagneticPotentialDifference", unit = "A");
    type MagnetomotiveForce = Real(quantity = "MagnetomotiveForce", unit = "A");
    type CurrentLinkage = Real(quantity = "CurrentLinkage", unit = "A");
    type MagneticFluxDensity = Real(quantity = "MagneticFluxDensity", unit = "T");
    type MagneticFlux = Real(quantity = "MagneticFlux", unit = "Wb");
    type MagneticVectorPotential = Real(quantity = "MagneticVectorPotential", unit = "Wb/m");
    type Inductance = Real(quantity = "Inductance", unit = "H");
    type SelfInductance = Inductance(min = 0);
    type MutualInductance = Inductance;
    type CouplingCoefficient = Real(quantity = "CouplingCoefficient", unit = "1");
    type LeakageCoefficient = Real(quantity = "LeakageCoefficient", unit = "1");
    type Permeability = Real(quantity = "Permeability", unit = "H/m");
    type PermeabilityOfVacuum = Permeability;
    type RelativePermeability = Real(quantity = "RelativePermeability", unit = "1");
    type MagneticSusceptibility = Real(quantity = "MagneticSusceptibility", unit = "1");
    type ElectromagneticMoment = Real(quantity = "ElectromagneticMoment", unit = "A.m2");
    type MagneticDipoleMoment = Real(quantity = "MagneticDipoleMoment", unit = "Wb.m");
    type Magnetization = Real(quantity = "Magnetization", unit = "A/m");
    type MagneticPolarization = Real(quantity = "MagneticPolarization", unit = "T");
    type ElectromagneticEnergyDensity = Real(quantity = "ElectromagneticEnergyDensity", unit = "J/m3");
    type PoyntingVector = Real(quantity = "PoyntingVector", unit = "W/m2");
    type Resistance = Real(quantity = "Resistance", unit = "Ohm");
    type Resistivity = Real(quantity = "Resistivity", unit = "Ohm.m");
    type Conductivity = Real(quantity = "Conductivity", unit = "S/m");
    type Reluctance = Real(quantity = "Reluctance", unit = "H-1");
    type Permeance = Real(quantity = "Permeance", unit = "H");
    type PhaseDifference = Real(quantity = "Angle", unit = "rad", displayUnit = "deg");
    type Impedance = Resistance;
    type ModulusOfImpedance = Resistance;
    type Reactance = Resistance;
    type QualityFactor = Real(quantity = "QualityFactor", unit = "1");
    type LossAngle = Real(quantity = "Angle", unit = "rad", displayUnit = "deg");
    type Conductance = Real(quantity = "Conductance", unit = "S");
    type Admittance = Conductance;
    type ModulusOfAdmittance = Conductance;
    type Susceptance = Conductance;
    type Transconductance = Real(quantity = "Transconductance", unit = "A/V2");
    type InversePotential = Real(quantity = "InversePotential", unit = "1/V");
    type InstantaneousPower = Real(quantity = "Power", unit = "W");
    type ActivePower = Real(quantity = "Power", unit = "W");
    type ApparentPower = Real(quantity = "Power", unit = "VA");
    type ReactivePower = Real(quantity = "Power", unit = "var");
    type PowerFactor = Real(quantity = "PowerFactor", unit = "1");
    type LinearTemperatureCoefficientResistance = Real(quantity = "LinearTemperatureCoefficient", unit = "Ohm/K");
    // Light and radiation
    type RadiantEnergy = Real(quantity = "Energy", unit = "J");
    type RadiantEnergyDensity = Real(quantity = "EnergyDensity", unit = "J/m3");
    type RadiantPower = Real(quantity = "Power", unit = "W");
    type RadiantEnergyFluenceRate = Real(quantity = "RadiantEnergyFluenceRate", unit = "W/m2");
    type RadiantIntensity = Real(quantity = "RadiantIntensity", unit = "W/sr");
    type Radiance = Real(quantity = "Radiance", unit = "W/(sr.m2)");
    type RadiantExtiance = Real(quantity = "RadiantExtiance", unit = "W/m2");
    type Irradiance = Real(quantity = "Irradiance", unit = "W/m2");
    type Emissivity = Real(quantity = "Emissivity", unit = "1");
    type LuminousIntensity = Real(quantity = "LuminousIntensity", unit = "cd");
    type LuminousFlux = Real(quantity = "LuminousFlux", unit = "lm");
    type QuantityOfLight = Real(quantity = "QuantityOfLight", unit = "lm.s");
    type Luminance = Real(quantity = "Luminance", unit = "cd/m2");
    type Illuminance = Real(quantity = "Illuminance", unit = "lx");
    type LightExposure = Real(quantity = "LightExposure", unit = "lx.s");
    type SpectralAbsorptionFactor = Real(quantity = "SpectralAbsorptionFactor", unit = "1");
    type SpectralReflectionFactor = Real(quantity = "SpectralReflectionFactor", unit = "1");
    type SpectralTransmissionFactor = Real(quantity = "SpectralTransmissionFactor", unit = "1");
    type RefractiveIndex = Real(quantity = "RefractiveIndex", unit = "1");
    // Sound
    type StaticPressure = Real(quantity = "Pressure", unit = "Pa", displayUnit = "bar");
    type SoundPressure = StaticPressure;
    type SoundParticleDisplacement = Real(quantity = "Length", unit = "m");
    type SoundParticleVelocity = Real(quantity = "Velocity", unit = "m/s");
    type SoundParticleAcceleration = Real(quantity = "Acceleration", unit = "m/s2");
    type VelocityOfSound = Real(quantity = "Velocity", unit = "m/s");
    type SoundEnergyDensity = Real(quantity = "EnergyDensity", unit = "J/m3");
    type SoundPower = Real(quantity = "Power", unit = "W");
    type SoundIntensity = Real(quantity = "SoundIntensity", unit = "W/m2");
    type AcousticImpedance = Real(quantity = "AcousticImpedance", unit = "Pa.s/m3");
    type MechanicalImpedance = Real(quantity = "MechanicalImpedance", unit = "N.s/m");
    type SurfaceDensityOfMechanicalImpedance = Real(quantity = "SurfaceDensityOfMechanicalImpedance", unit = "Pa.s/m");
    type SoundPressureLevel = Real(quantity = "SoundPressureLevel", unit = "dB");
    type SoundPowerLevel = Real(quantity = "SoundPowerLevel", unit = "dB");
    type SoundReductionIndex = Real(quantity = "SoundReductionIndex", unit = "dB");
    type ReverberationTime = Real(quantity = "Time", unit = "s");
    type LoudnessLevel = Real(quantity = "LoudnessLevel", unit = "phon");
    type Loudness = Real(quantity = "Loudness", unit = "sone");
    // Chemistry
    type RelativeAtomicMass = Real(quantity = "RelativeAtomicMass", unit = "1");
    type RelativeMolecularMass = Real(quantity = "RelativeMolecularMass", unit = "1");
    type NumberOfMolecules = Real(quantity = "NumberOfMolecules", unit = "1");
    type AmountOfSubstance = Real(quantity = "AmountOfSubstance", unit = "mol", min = 0);
    type MolarMass = Real(quantity = "MolarMass", unit = "kg/mol", min = 0);
    type MolarVolume = Real(quantity = "MolarVolume", unit = "m3/mol", min = 0);
    type MolarDensity = Real(quantity = "MolarDensity", unit = "mol/m3");
    type MolarEnergy = Real(quantity = "MolarEnergy", unit = "J/mol");
    type MolarInternalEnergy = MolarEnergy;
    type MolarEnthalpy = MolarEnergy;
    type MolarHeatCapacity = Real(quantity = "MolarHeatCapacity", unit = "J/(mol.K)");
    type MolarEntropy = Real(quantity = "MolarEntropy", unit = "J/(mol.K)");
    type MolarFlowRate = Real(quantity = "MolarFlowRate", unit = "mol/s");
    type NumberDensityOfMolecules = Real(quantity = "NumberDensityOfMolecules", unit = "m-3");
    type MolecularConcentration = Real(quantity = "MolecularConcentration", unit = "m-3");
    type MassConcentration = Real(quantity = "MassConcentration", unit = "kg/m3");
    type MassFraction = Real(quantity = "MassFraction", unit = "1", min = 0, max = 1);
    type Concentration = Real(quantity = "Concentration", unit = "mol/m3");
    type VolumeFraction = Real(quantity = "VolumeFraction", unit = "1");
    type MoleFraction = Real(quantity = "MoleFraction", unit = "1", min = 0, max = 1);
    type ChemicalPotential = Real(quantity = "ChemicalPotential", unit = "J/mol");
    type AbsoluteActivity = Real(quantity = "AbsoluteActivity", unit = "1");
    type PartialPressure = Real(quantity = "Pressure", unit = "Pa", min = 0, displayUnit = "bar");
    type Fugacity = Real(quantity = "Fugacity", unit = "Pa");
    type StandardAbsoluteActivity = Real(quantity = "StandardAbsoluteActivity", unit = "1");
    type ActivityCoefficient = Real(quantity = "ActivityCoefficient", unit = "1");
    type ActivityOfSolute = Real(quantity = "ActivityOfSolute", unit = "1");
    type ActivityCoefficientOfSolute = Real(quantity = "ActivityCoefficientOfSolute", unit = "1");
    type StandardAbsoluteActivityOfSolute = Real(quantity = "StandardAbsoluteActivityOfSolute", unit = "1");
    type ActivityOfSolvent = Real(quantity = "ActivityOfSolvent", unit = "1");
    type OsmoticCoefficientOfSolvent = Real(quantity = "OsmoticCoefficientOfSolvent", unit = "1");
    type StandardAbsoluteActivityOfSolvent = Real(quantity = "StandardAbsoluteActivityOfSolvent", unit = "1");
    type OsmoticPressure = Real(quantity = "Pressure", unit = "Pa", min = 0, displayUnit = "bar");
    type StoichiometricNumber = Real(quantity = "StoichiometricNumber", unit = "1");
    type Affinity = Real(quantity = "Affinity", unit = "J/mol");
    type MassOfMolecule = Real(quantity = "Mass", unit = "kg");
    type ElectricDipoleMomentOfMolecule = Real(quantity = "ElectricDipoleMoment", unit = "C.m");
    type ElectricPolarizabilityOfAMolecule = Real(quantity = "ElectricPolarizabilityOfAMolecule", unit = "C.m2/V");
    type MicrocanonicalPartitionFunction = Real(quantity = "MicrocanonicalPartitionFunction", unit = "1");
    type CanonicalPartitionFunction = Real(quantity = "CanonicalPartitionFunction", unit = "1");
    type GrandCanonicalPartitionFunction = Real(quantity = "GrandCanonicalPartitionFunction", unit = "1");
    type MolecularPartitionFunction = Real(quantity = "MolecularPartitionFunction", unit = "1");
    type StatisticalWeight = Real(quantity = "StatisticalWeight", unit = "1");
    type MeanFreePath = Real(quantity = "Length", unit = "m");
    type DiffusionCoefficient = Real(quantity = "DiffusionCoefficient", unit = "m2/s");
    type ThermalDiffusionRatio = Real(quantity = "ThermalDiffusionRatio", unit = "1");
    type ThermalDiffusionFactor = Real(quantity = "ThermalDiffusionFactor", unit = "1");
    type ThermalDiffusionCoefficient = Real(quantity = "ThermalDiffusionCoefficient", unit = "m2/s");
    type ElementaryCharge = Real(quantity = "ElectricCharge", unit = "C");
    type ChargeNumberOfIon = Real(quantity = "ChargeNumberOfIon", unit = "1");
    type FaradayConstant = Real(quantity = "FaradayConstant", unit = "C/mol");
    type IonicStrength = Real(quantity = "IonicStrength", unit = "mol/kg");
    type DegreeOfDissociation = Real(quantity = "DegreeOfDissociation", unit = "1");
    type ElectrolyticConductivity = Real(quantity = "ElectrolyticConductivity", unit = "S/m");
    type MolarConductivity = Real(quantity = "MolarConductivity", unit = "S.m2/mol");
    type TransportNumberOfIonic = Real(quantity = "TransportNumberOfIonic", unit = "1");
    // Atoms and nuclei
    type ProtonNumber = Real(quantity = "ProtonNumber", unit = "1");
    type NeutronNumber = Real(quantity = "NeutronNumber", unit = "1");
    type NucleonNumber = Real(quantity = "NucleonNumber", unit = "1");
    type AtomicMassConstant = Real(quantity = "Mass", unit = "kg");
    type MassOfElectron = Real(quantity = "Mass", unit = "kg");
    type MassOfProton = Real(quantity = "Mass", unit = "kg");
    type MassOfNeutron = Real(quantity = "Mass", unit = "kg");
    type HartreeEnergy = Real(quantity = "Energy", unit = "J");
    type MagneticMomentOfParticle = Real(quantity = "MagneticMomentOfParticle", unit = "A.m2");
    type BohrMagneton = MagneticMomentOfParticle;
    type NuclearMagneton = MagneticMomentOfParticle;
    type GyromagneticCoefficient = Real(quantity = "GyromagneticCoefficient", unit = "A.m2/(J.s)");
    type SpinQuantumNumber = Real(quantity = "SpinQuantumNumber", unit = "1");
    type NuclearSpinQuantumNumber = Real(quantity = "NuclearSpinQuantumNumber", unit = "1");
    type PrincipalQuantumNumber = Real(quantity = "PrincipalQuantumNumber", unit = "1");
    type MagneticQuantumNumber = Real(quantity = "MagneticQuantumNumber", unit = "1");
    type QuadrupoleMoment = Real(quantity = "QuadrupoleMoment", unit = "m2");
    type NuclearRadius = Real(quantity = "Length", unit = "m");
    type MassExcess = Real(quantity = "Mass", unit = "kg");
    type MassDefect = Real(quantity = "Mass", unit = "kg");
    type RelativeMassExcess = Real(quantity = "RelativeMassExcess", unit = "1");
    type RelativeMassDefect = Real(quantity = "RelativeMassDefect", unit = "1");
    type PackingFraction = Real(quantity = "PackingFraction", unit = "1");
    type BindingFraction = Real(quantity = "BindingFraction", unit = "1");
    type MeanLife = Real(quantity = "Time", unit = "s");
    type LevelWidth = Real(quantity = "LevelWidth", unit = "J");
    type Activity = Real(quantity = "Activity", unit = "Bq");
    type SpecificActivity = Real(quantity = "SpecificActivity", unit = "Bq/kg");
    type DecayConstant = Real(quantity = "DecayConstant", unit = "s-1");
    type HalfLife = Real(quantity = "Time", unit = "s");
    type AlphaDisintegrationEnergy = Real(quantity = "Energy", unit = "J");
    type MaximumBetaParticleEnergy = Real(quantity = "Energy", unit = "J");
    type BetaDisintegrationEnergy = Real(quantity = "Energy", unit = "J");
    type ReactionEnergy = Real(quantity = "Energy", unit = "J");
    type ResonanceEnergy = Real(quantity = "Energy", unit = "J");
    type CrossSection = Real(quantity = "Area", unit = "m2");
    type TotalCrossSection = Real(quantity = "Area", unit = "m2");
    type ParticleFluence = Real(quantity = "ParticleFluence", unit = "m-2");
    type ParticleFluenceRate = Real(quantity = "ParticleFluenceRate", unit = "s-1.m2");
    type EnergyFluence = Real(quantity = "EnergyFluence", unit = "J/m2");
    type EnergyFluenceRate = Real(quantity = "EnergyFluenceRate", unit = "W/m2");
    type CurrentDensityOfParticles = Real(quantity = "CurrentDensityOfParticles", unit = "m-2.s-1");
    type MassAttenuationCoefficient = Real(quantity = "MassAttenuationCoefficient", unit = "m2/kg");
    type MolarAttenuationCoefficient = Real(quantity = "MolarAttenuationCoefficient", unit = "m2/mol");
    type AtomicAttenuationCoefficient = Real(quantity = "AtomicAttenuationCoefficient", unit = "m2");
    type HalfThickness = Real(quantity = "Length", unit = "m");
    type NeutronNumberDensity = Real(quantity = "NeutronNumberDensity", unit = "m-3");
    type NeutronSpeed = Real(quantity = "Velocity", unit = "m/s");
    type NeutronFluenceRate = Real(quantity = "NeutronFluenceRate", unit = "s-1.m-2");
    type AbsorbedDose = Real(quantity = "AbsorbedDose", unit = "Gy");
    type DoseEquivalent = Real(quantity = "DoseEquivalent", unit = "Sv");
    type Exposure = Real(quantity = "Exposure", unit = "C/kg");
    // Characteristic numbers
    type ReynoldsNumber = Real(quantity = "ReynoldsNumber", unit = "1");
    type EulerNumber = Real(quantity = "EulerNumber", unit = "1");
    type FroudeNumber = Real(quantity = "FroudeNumber", unit = "1");
    type GrashofNumber = Real(quantity = "GrashofNumber", unit = "1");
    type WeberNumber = Real(quantity = "WeberNumber", unit = "1");
    type MachNumber = Real(quantity = "MachNumber", unit = "1");
    type KnudsenNumber = Real(quantity = "KnudsenNumber", unit = "1");
    type StrouhalNumber = Real(quantity = "StrouhalNumber", unit = "1");
    type FourierNumber = Real(quantity = "FourierNumber", unit = "1");
    type PecletNumber = Real(quantity = "PecletNumber", unit = "1");
    type RayleighNumber = Real(quantity = "RayleighNumber", unit = "1");
    type NusseltNumber = Real(quantity = "NusseltNumber", unit = "1");
    type BiotNumber = NusseltNumber;
    type StantonNumber = Real(quantity = "StantonNumber", unit = "1");
    type FourierNumberOfMassTransfer = Real(quantity = "FourierNumberOfMassTransfer", unit = "1");
    type PecletNumberOfMassTransfer = Real(quantity = "PecletNumberOfMassTransfer", unit = "1");
    type GrashofNumberOfMassTransfer = Real(quantity = "GrashofNumberOfMassTransfer", unit = "1");
    type NusseltNumberOfMassTransfer = Real(quantity = "NusseltNumberOfMassTransfer", unit = "1");
    type StantonNumberOfMassTransfer = Real(quantity = "StantonNumberOfMassTransfer", unit = "1");
    type PrandtlNumber = Real(quantity = "PrandtlNumber", unit = "1");
    type SchmidtNumber = Real(quantity = "SchmidtNumber", unit = "1");
    type LewisNumber = Real(quantity = "LewisNumber", unit = "1");
    type MagneticReynoldsNumber = Real(quantity = "MagneticReynoldsNumber", unit = "1");
    type AlfvenNumber = Real(quantity = "AlfvenNumber", unit = "1");
    type HartmannNumber = Real(quantity = "HartmannNumber", unit = "1");
    type CowlingNumber = Real(quantity = "CowlingNumber", unit = "1");
    // Solids
    type LatticePlaneSpacing = Real(quantity = "Length", unit = "m");
    type BraggAngle = Real(quantity = "Angle", unit = "rad", displayUnit = "deg");
    type DebyeTemperature = ThermodynamicTemperature;
    type FermiEnergy = Real(quantity = "Energy", unit = "J");
    type GapEnergy = Real(quantity = "Energy", unit = "J");
    type SeebeckCoefficient = Real(quantity = "SeebeckCoefficient", unit = "V/K");
    type PeltierCoefficient = Real(quantity = "PeltierCoefficient", unit = "V");
    type ThomsonCoefficient = Real(quantity = "ThomsonCoefficient", unit = "V/K");
    type HallCoefficient = Real(quantity = "HallCoefficient", unit = "m3/C");
    type RichardsonConstant = Real(quantity = "RichardsonConstant", unit = "A/(m2.K2)");
    type WorkFunction = Real(quantity = "Energy", unit = "J");
    type CurieTemperature = ThermodynamicTemperature;
    type NeelTemperature = ThermodynamicTemperature;
    type LondonPenetrationDepth = Real(quantity = "Length", unit = "m");
    type CoherenceLength = Real(quantity = "Length", unit = "m");
    // Relative values and slopes
    type PerUnit = Real(quantity = "PerUnit", unit = "1");
  end SI;

  package NonSI "Types of quantities in other units in use"
    type Temperature_degC = Real(quantity = "ThermodynamicTemperature", unit = "degC");
    type Temperature_degF = Real(quantity = "ThermodynamicTemperature", unit = "degF");
    type Temperature_degRk = Real(quantity = "ThermodynamicTemperature", unit = "degRk");
    type Angle_deg = Real(quantity = "Angle", unit = "deg");
    type AngularVelocity_rpm = Real(quantity = "AngularVelocity", unit = "rev/min");
    type Velocity_kmh = Real(quantity = "Velocity", unit = "km/h");
    type Time_day = Real(quantity = "Time", unit = "d");
    type Time_hour = Real(quantity = "Time", unit = "h");
    type Time_minute = Real(quantity = "Time", unit = "min");
    type Volume_litre = Real(quantity = "Volume", unit = "l");
    type Energy_kWh = Real(quantity = "Energy", unit = "kW.h");
    type Energy_Wh = Real(quantity = "Energy", unit = "W.h");
    type Pressure_bar = Real(quantity = "Pressure", unit = "bar");
    type MassFlowRate_gps = Real(quantity = "MassFlowRate", unit = "g/s");
    type Length_inch = Real(quantity = "Length", unit = "in");
    type Length_foot = Real(quantity = "Length", unit = "ft");
    type Area_cm = Real(quantity = "Area", unit = "cm2");
    type PerArea_cm = Real(quantity = "PerArea", unit = "1/cm2");
    type Mass_gram = Real(quantity = "Mass", unit = "g");
    type ElectricCharge_Ah = Real(quantity = "ElectricCharge", unit = "A.h");
    type FirstOrderTemperaturCoefficient = Real(quantity = "LinearTemperatureCoefficient", unit = "Ohm/degC");
  end NonSI;

  package Conversions "Functions between SI units and others"
    function from_degC "degree Celsius to kelvin"
      input Modelica.Units.NonSI.Temperature_degC degC "in degree Celsius";
      output Modelica.Units.SI.Temperature y "in kelvin";
    algorithm
      y := degC + 273.15;
      annotation(Inline = true);
    end from_degC;

    function to_degC "kelvin to degree Celsius"
      input Modelica.Units.SI.Temperature u "in kelvin";
      output Modelica.Units.NonSI.Temperature_degC y "in degree Celsius";
    algorithm
      y := u - 273.15;
      annotation(Inline = true);
    end to_degC;

    function from_degF "degree Fahrenheit to kelvin"
      input Modelica.Units.NonSI.Temperature_degF degF "in degree Fahrenheit";
      output Modelica.Units.SI.Temperature y "in kelvin";
    algorithm
      y := (degF - 32)/1.8 + 273.15;
      annotation(Inline = true);
    end from_degF;

    function to_degF "kelvin to degree Fahrenheit"
      input Modelica.Units.SI.Temperature u "in kelvin";
      output Modelica.Units.NonSI.Temperature_degF y "in degree Fahrenheit";
    algorithm
      y := (u - 273.15)*1.8 + 32;
      annotation(Inline = true);
    end to_degF;

    function from_degRk "degree Rankine to kelvin"
      input Modelica.Units.NonSI.Temperature_degRk degRk "in degree Rankine";
      output Modelica.Units.SI.Temperature y "in kelvin";
    algorithm
      y := degRk/1.8;
      annotation(Inline = true);
    end from_degRk;

    function to_degRk "kelvin to degree Rankine"
      input Modelica.Units.SI.Temperature u "in kelvin";
      output Modelica.Units.NonSI.Temperature_degRk y "in degree Rankine";
    algorithm
      y := u*1.8;
      annotation(Inline = true);
    end to_degRk;

    function from_deg "degree to radian"
      input Modelica.Units.NonSI.Angle_deg deg "in degree";
      output Modelica.Units.SI.Angle y "in radian";
    algorithm
      y := deg*(Modelica.Constants.pi/180);
      annotation(Inline = true);
    end from_deg;

    function to_deg "radian to degree"
      input Modelica.Units.SI.Angle u "in radian";
      output Modelica.Units.NonSI.Angle_deg y "in degree";
    algorithm
      y := u*(180/Modelica.Constants.pi);
      annotation(Inline = true);
    end to_deg;

    function from_rpm "revolutions per minute to radian per second"
      input Modelica.Units.NonSI.AngularVelocity_rpm rpm "in revolutions per minute";
      output Modelica.Units.SI.AngularVelocity y "in radian per second";
    algorithm
      y := rpm*(Modelica.Constants.pi/30);
      annotation(Inline = true);
    end from_rpm;

    function to_rpm "radian per second to revolutions per minute"
      input Modelica.Units.SI.AngularVelocity u "in radian per second";
      output Modelica.Units.NonSI.AngularVelocity_rpm y "in revolutions per minute";
    algorithm
      y := u*(30/Modelica.Constants.pi);
      annotation(Inline = true);
    end to_rpm;

    function from_kmh "kilometre per hour to metre per second"
      input Modelica.Units.NonSI.Velocity_kmh kmh "in kilometre per hour";
      output Modelica.Units.SI.Velocity y "in metre per second";
    algorithm
      y := kmh/3.6;
      annotation(Inline = true);
    end from_kmh;

    function to_kmh "metre per second to kilometre per hour"
      input Modelica.Units.SI.Velocity u "in metre per second";
      output Modelica.Units.NonSI.Velocity_kmh y "in kilometre per hour";
    algorithm
      y := u*3.6;
      annotation(Inline = true);
    end to_kmh;

    function from_day "day to second"
      input Modelica.Units.NonSI.Time_day day "in day";
      output Modelica.Units.SI.Time y "in second";
    algorithm
      y := day*86400;
      annotation(Inline = true);
    end from_day;

    function to_day "second to day"
      input Modelica.Units.SI.Time u "in second";
      output Modelica.Units.NonSI.Time_day y "in day";
    algorithm
      y := u/86400;
      annotation(Inline = true);
    end to_day;

    function from_hour "hour to second"
      input Modelica.Units.NonSI.Time_hour hour "in hour";
      output Modelica.Units.SI.Time y "in second";
    algorithm
      y := hour*3600;
      annotation(Inline = true);
    end from_hour;

    function to_hour "second to hour"
      input Modelica.Units.SI.Time u "in second";
      output Modelica.Units.NonSI.Time_hour y "in hour";
    algorithm
      y := u/3600;
      annotation(Inline = true);
    end to_hour;

    function from_minute "minute to second"
      input Modelica.Units.NonSI.Time_minute minute "in minute";
      output Modelica.Units.SI.Time y "in second";
    algorithm
      y := minute*60;
      annotation(Inline = true);
    end from_minute;

    function to_minute "second to minute"
      input Modelica.Units.SI.Time u "in second";
      output Modelica.Units.NonSI.Time_minute y "in minute";
    algorithm
      y := u/60;
      annotation(Inline = true);
    end to_minute;

    function from_litre "litre to cubic metre"
      input Modelica.Units.NonSI.Volume_litre litre "in litre";
      output Modelica.Units.SI.Volume y "in cubic metre";
    algorithm
      y := litre/1000;
      annotation(Inline = true);
    end from_litre;

    function to_litre "cubic metre to litre"
      input Modelica.Units.SI.Volume u "in cubic metre";
      output Modelica.Units.NonSI.Volume_litre y "in litre";
    algorithm
      y := u*1000;
      annotation(Inline = true);
    end to_litre;

    function from_kWh "kilowatt hour to joule"
      input Modelica.Units.NonSI.Energy_kWh kWh "in kilowatt hour";
      output Modelica.Units.SI.Energy y "in joule";
    algorithm
      y := kWh*3.6e6;
      annotation(Inline = true);
    end from_kWh;

    function to_kWh "joule to kilowatt hour"
      input Modelica.Units.SI.Energy u "in joule";
      output Modelica.Units.NonSI.Energy_kWh y "in kilowatt hour";
    algorithm
      y := u/3.6e6;
      annotation(Inline = true);
    end to_kWh;

    function from_Wh "watt hour to joule"
      input Modelica.Units.NonSI.Energy_Wh Wh "in watt hour";
      output Modelica.Units.SI.Energy y "in joule";
    algorithm
      y := Wh*3600;
      annotation(Inline = true);
    end from_Wh;

    function to_Wh "joule to watt hour"
      input Modelica.Units.SI.Energy u "in joule";
      output Modelica.Units.NonSI.Energy_Wh y "in watt hour";
    algorithm
      y := u/3600;
      annotation(Inline = true);
    end to_Wh;

    function from_bar "bar to pascal"
      input Modelica.Units.NonSI.Pressure_bar bar "in bar";
      output Modelica.Units.SI.Pressure y "in pascal";
    algorithm
      y := bar*1e5;
      annotation(Inline = true);
    end from_bar;

    function to_bar "pascal to bar"
      input Modelica.Units.SI.Pressure u "in pascal";
      output Modelica.Units.NonSI.Pressure_bar y "in bar";
    algorithm
      y := u/1e5;
      annotation(Inline = true);
    end to_bar;

    function from_gps "gram per second to kilogram per second"
      input Modelica.Units.NonSI.MassFlowRate_gps gps "in gram per second";
      output Modelica.Units.SI.MassFlowRate y "in kilogram per second";
    algorithm
      y := gps/1000;
      annotation(Inline = true);
    end from_gps;

    function to_gps "kilogram per second to gram per second"
      input Modelica.Units.SI.MassFlowRate u "in kilogram per second";
      output Modelica.Units.NonSI.MassFlowRate_gps y "in gram per second";
    algorithm
      y := u*1000;
      annotation(Inline = true);
    end to_gps;

    function from_Hz "hertz to radian per second"
      input Modelica.Units.SI.Frequency Hz "in hertz";
      output Modelica.Units.SI.AngularVelocity y "in radian per second";
    algorithm
      y := Hz*(2*Modelica.Constants.pi);
      annotation(Inline = true);
    end from_Hz;

    function to_Hz "radian per second to hertz"
      input Modelica.Units.SI.AngularVelocity u "in radian per second";
      output Modelica.Units.SI.Frequency y "in hertz";
    algorithm
      y := u/(2*Modelica.Constants.pi);
      annotation(Inline = true);
    end to_Hz;

    function from_inch "inch to metre"
      input Modelica.Units.NonSI.Length_inch inch "in inch";
      output Modelica.Units.SI.Length y "in metre";
    algorithm
      y := inch*0.0254;
      annotation(Inline = true);
    end from_inch;

    function to_inch "metre to inch"
      input Modelica.Units.SI.Length u "in metre";
      output Modelica.Units.NonSI.Length_inch y "in inch";
    algorithm
      y := u/0.0254;
      annotation(Inline = true);
    end to_inch;

    function from_foot "foot to metre"
      input Modelica.Units.NonSI.Length_foot foot "in foot";
      output Modelica.Units.SI.Length y "in metre";
    algorithm
      y := foot*0.3048;
      annotation(Inline = true);
    end from_foot;

    function to_foot "metre to foot"
      input Modelica.Units.SI.Length u "in metre";
      output Modelica.Units.NonSI.Length_foot y "in foot";
    algorithm
      y := u/0.3048;
      annotation(Inline = true);
    end to_foot;

    function from_gram "gram to kilogram"
      input Modelica.Units.NonSI.Mass_gram gram "in gram";
      output Modelica.Units.SI.Mass y "in kilogram";
    algorithm
      y := gram/1000;
      annotation(Inline = true);
    end from_gram;

    function to_gram "kilogram to gram"
      input Modelica.Units.SI.Mass u "in kilogram";
      output Modelica.Units.NonSI.Mass_gram y "in gram";
    algorithm
      y := u*1000;
      annotation(Inline = true);
    end to_gram;
  end Conversions;
end Units;
