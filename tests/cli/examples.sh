#!/usr/bin/env bash
# The models of examples/ are what their comments say. Usage: examples.sh PATH_OF_DAEDAL
set -u
daedal=$1
cd "$(dirname "$0")/../../examples" || exit 1
failed=0
seen=

# expect FILE CLASS INDEX DOF [ARGS]
expect() {
    local file=$1 class=$2 index=$3 dof=$4 answer
    shift 4
    seen="$seen $file "
    answer=$("$daedal" check --json "$file" "$class" "$@" 2>&1)
    if [ $? -ne 0 ] || ! grep -q "\"index\":$index,.*\"dof\":$dof,.*\"verdict\":\"ok\"" <<<"$answer" || grep -q '"undecided"' <<<"$answer"; then
        echo "$file $class $*: expected index $index and $dof degrees of freedom; got $(head -c 400 <<<"$answer")"
        failed=1
    fi
    "$daedal" check "$file" "$class" "$@" >/dev/null || failed=1
}
expect spherical_pendulum.mo SphericalPendulum 3 4
expect cart_pole.mo CartPole 0 4
expect rc_ladder.mo RcLadder 1 5
expect rc_ladder.mo RcLadder 1 200 --set N=200
expect pendulum_chain.mo PendulumChain 3 6
expect spring_mass.mo SpringMass 0 2
expect planar_pendulum.mo PlanarPendulum 3 2
expect planar_pendulum.mo PendulumAngle 0 2
expect planar_pendulum.mo BothPendulums 3 4
expect cstr.mo Cstr 2 3
expect delta_robot.mo DeltaRobot 3 6
expect delta_robot_parts.mo DeltaRobotParts 3 6
expect delta_robot_parts.mo DeltaRobotSixRods 3 6
expect double_pendulum.mo DoublePendulum 3 4
expect double_pendulum.mo DoublePendulumAngles 0 4
expect four_bar.mo FourBar 3 2
expect four_bar.mo FourBarInSpace 3 2
expect slider_crank_parts.mo SliderCrankParts 3 2
expect spatial_chain.mo SpatialChain 3 36
expect satellite.mo Satellite 2 16
expect tumbling_body.mo TumblingBody 2 12
expect slider_crank.mo SliderCrank 3 2
expect rolling_coin.mo RollingCoin 2 6
expect overhead_crane.mo OverheadCrane 5 0
expect parallel_capacitors.mo ParallelCapacitors 2 1
expect transistor_amplifier.mo TransistorAmplifier 1 5
expect rigid_body.mo RigidBody 2 6
expect rigid_body.mo ThreeAxes 2 18
expect heater.mo Heater 1 1
expect depends_on_data.mo DependsOnData 1 1
expect depends_on_data.mo DependsOnData 2 0 --set k=0
expect depends_on_data.mo DependsOnData 1 0 --set C=0
expect forms.mo SecondOrder 0 2
expect forms.mo Implicit 0 1
expect forms.mo Nilpotent 3 0
expect forms.mo Multiplier 2 1
expect forms.mo NeverDifferentiated 1 1
expect forms.mo Cancelling 1 1
expect forms.mo Elimination 1 1
expect forms.mo Sine 0 1
expect forms.mo ThreeRoots 1 1
expect forms.mo FullyImplicit 1 1
expect forms.mo SemiExplicit 1 1
expect forms.mo MassMatrix 0 2
expect forms.mo MassSolved 1 2
expect forms.mo Vanishing 0 1
expect forms.mo Vanishing 1 0 --set u=0
expect forms.mo Branches 0 2
expect forms.mo Branches 1 1 --set x2=1
expect forms.mo Chain 3 0
expect spherical_forms.mo Constrained 3 4
expect spherical_forms.mo IndexOne 1 6
expect spherical_forms.mo SphericalAngles 1 4
expect spherical_forms.mo Compared 3 14
expect tikhonov.mo FastAndSlow 0 2
expect tikhonov.mo FastAndSlow 1 1 --set eps=0
expect rlc_ladder.mo RlcLadder 1 18
expect rlc_ladder.mo RlcLadder 1 102 --set N=50
expect rectifier.mo Rectifier 1 1
expect two_tanks.mo TwoTanks 1 2
expect two_tanks.mo JoinedTanks 2 1
expect heat_exchanger.mo HeatExchanger.Counterflow 1 20
expect two_stage_rocket.mop TwoStageRocket 0 8
expect obstacles.mop Boat 0 2
expect obstacles.mop Crossing 0 2
expect cart_pendulum.mop CartPendulum 3 4
expect upright.mop Pushed 3 4
expect upright.mop Upright 3 4
expect cstr.mop Grade 2 3
expect delta_robot.mop Fastest 3 6
expect delta_robot.mop Gentle 3 6
expect round_trip.mop FreeEnds 3 4
expect round_trip.mop Periodic 3 4
expect cart_pendulum.mop SwingUp 3 4
expect cart_pendulum.mop PendulumNMPC 3 4
expect control_pendulum.mop PendulumNMPC 3 4
expect control_cstr.mop ReactorNMPC 2 2
expect control_crane.mop CraneControl 3 4
expect control_delta.mop PickAndPlace 3 6
expect control_orbit.mop Orbit 3 4
expect control_chain.mop MoveChain 3 10

for file in *.mo *.mop; do
    case $seen in *" $file "*) ;; *) echo "$file is not tested"; failed=1 ;; esac
done

# the spherical pendulum fits on one screen and says what there is to say
text=$("$daedal" check spherical_pendulum.mo)
[ "$(wc -l <<<"$text")" -le 24 ] || { echo "the report of the spherical pendulum does not fit on one screen"; failed=1; }
for words in 'index 3' 'p\*p - L^2 = 0' 'p\*v = 0' 'p\*der(v) + v\*v = 0' '4 degrees of freedom' 'p\[1\] = 0.6' 'follow.*p\[3\].*v\[3\].*lam'; do
    grep -q -- "$words" <<<"$text" || { echo "the report of the spherical pendulum does not contain $words"; failed=1; }
done
exit $failed
