#!/usr/bin/env bash
# Shooting with one step of radau-3 per interval is Radau collocation of degree 3 with constant control: the two
# transcriptions of one problem have the same optimum, to 1e-9 (also on a mesh that is too coarse for the model).
#
#   shooting.sh DAEDAL [PATTERN...]
export LC_ALL=C
daedal=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- ''
cd "$(dirname "$0")" || exit 1

# without path inequalities on states, which the two hold at different points
problems='lq/di_min_energy lq/lq_osc lq/vdp_bocop lq/rayleigh_u lq/hypersensitive minimum_time/brachistochrone
    minimum_time/zermelo minimum_time/steering mechanics/cart_pole2 process/batch_abc process/tubular_ab
    dae/circle dae/circle_full dae/circle_ode dae/crane_i3 dae/crane_i3_ode dae/react_i2 dae/react_i2_ode
    estimation/gasoil estimation/predator estimation/dae_i3_est periodic/periodic_track
    periodic/spherical_orbit features/way_point features/free_start features/open_start features/design'

objective() {
    timeout 100 "$daedal" optimize "$1.mop" --intervals 40 --control constant --tol 1e-10 --json "${@:2}" \
        2>/dev/null </dev/null |
        sed -n 's/.*"status":"\(optimal\|inaccurate\)".*"objective":\([^,]*\),.*/\2/p'
}

failed=0
for problem in $problems; do
    for pattern in "$@"; do
        [[ $problem == *$pattern* ]] || continue
        a=$(objective "$problem" --degree 3 --nodes radau)
        b=$(objective "$problem" --method shooting --integrator radau-3 --substeps 1)
        awk -v name="$problem" -v a="$a" -v b="$b" 'BEGIN {
            d = a - b; s = a < 0 ? -a : a; if (d < 0) d = -d; if (s > 1e-12) d /= s
            ok = a != "" && b != "" && d <= 1e-9
            printf "%-34s %-20s %-20s %8.1e%s\n", name, a, b, d, ok ? "" : "   FAILED"
            exit !ok }' || failed=1
        break
    done
done
exit $failed
