#!/usr/bin/env bash
# A quick sample of the problems under tests/verify/ocp: verdicts on problems without a solution, and solutions that are found only
# after the first solve has failed. Their headers say what is expected. Usage: optimize_verdicts.sh PATH_OF_DAEDAL
here=$(cd "$(dirname "$0")" && pwd)
exec bash "$here/../verify/ocp/run.sh" "$1" bad/nan_at_guess bad/chaos bad/time_given bad/escape bad/log_cost \
    bad/periodic_drift bad/algebraic_bound bad/clashing_path bad/glide_for_ever bad/reward_speed dae/cstr_grade minimum_time/far_without_guess \
    periodic/pumping periodic/hares_given periodic/hares_of_period_far bad/inflection features/flat_top features/two_wells features/way_points_between_nodes path/straight_through_disc \
    bad/no_cycle periodic/driven_spring periodic/two_rods_ode features/median features/empty_tank mechanics/eigenaxis singular/lotka_fishing \
    process/cstr_two_optima mechanics/cart_parts minimum_time/slow_units lq/steep_start features/kept_by_parameter features/two_grounds three_grounds isoperimetric_
