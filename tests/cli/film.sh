#!/usr/bin/env bash
# Film strips and overlays: files that are written, options that need others, models that draw nothing. Usage: film.sh PATH_OF_DAEDAL
set -u
daedal=$(realpath "$1")
examples=$(cd "$(dirname "$0")/../../examples" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0

complain() {
    echo "$*"
    failed=1
}

# expect CODE TEXT ARGS...: the exit code, and the text in what is said
expect() {
    local code=$1 text=$2 said got
    shift 2
    said=$("$daedal" "$@" 2>&1)
    got=$?
    [ $got = "$code" ] || complain "daedal $*: exit code $got instead of $code: $said"
    case $said in *"$text"*) ;; *) complain "daedal $*: expected \"$text\", got: $said" ;; esac
}

cat >swing.mop <<'END'
model Swing "<script>alert(1)</script>"
  Real phi(start = 1, fixed = true), w(start = 0, fixed = true) = der(phi);
  input Real u(min = -20, max = 20);
equation
  der(w) = -9.81*sin(phi) + u;
  annotation(Daedal(draw(rod = line({0, 0}, {sin(phi), -cos(phi)}), bob = sphere({sin(phi), -cos(phi)}, radius = 0.1,
    label = "<script>alert(2)</script>"), path = trail({sin(phi), -cos(phi)}), force = arrow({sin(phi), -cos(phi)}, {u, 0}))));
end Swing;
optimization Up(objectiveIntegrand = u^2, finalTime = 2)
  extends Swing;
constraint
  phi(finalTime) = 3.14159;
  w(finalTime) = 0;
end Up;
model Still Real x(start = 1, fixed = true); equation der(x) = -x; end Still;
END

expect 0 'film strip in run.svg' simulate swing.mop Swing --stop 2 --film run.svg -o run.csv
expect 0 'film strip in best.svg' optimize swing.mop Up --film best.svg --report best.html --overlay run.csv
for file in run.svg best.svg; do
    [ "$(grep -c '<g opacity' $file)" -ge 7 ] || complain "$file has too few poses"
    ! grep -q '<script' $file || complain "$file has markup of the model"
done
# the second trajectory is in the page and in the picture, dashed
grep -q '"name":"run.csv"' best.html || complain "the page has no second motion"
grep -q 'stroke-dasharray' best.svg || complain "the picture has no second trail"
! grep -q 'alert([12])</script' best.html || complain "the page has markup of the model"

# a map: what stands still is an outline of the plot of y over x, a list of shapes is one line; moving shapes are not there
expect 0 'picture in map.svg' optimize "$examples/obstacles.mop" --plot map.svg --show 'y over x'
expect 0 'plots in map.html' optimize "$examples/obstacles.mop" --report map.html
[ "$(grep -o '<title>[a-z]*</title>' map.svg | tr -d '\n')" = '<title>goal</title><title>bank</title><title>rocks</title><title>y</title>' ] ||
    complain "map: the lines are $(grep -o '<title>[a-z]*</title>' map.svg)"
grep -q '"name":"rocks","style":"area"' map.html && grep -q '>Path</h2>' map.html || complain "map: the page has none"

# phases follow each other in the time of the scene: the film of the rocket has its three drawings, the last at the end
expect 0 'film strip in rocket.svg' optimize "$examples/two_stage_rocket.mop" --film rocket.svg --report rocket.html
grep -q '"name":"coast.rocket"' rocket.html && grep -q '"name":"first.flame"' rocket.html || complain "phases: the page has no motion"
grep -qiE 'nan|inf' rocket.svg && complain "phases: the film strip has numbers that are none"
expect 2 'cannot be laid over' optimize "$examples/two_stage_rocket.mop" --film rocket.svg --overlay run.csv

expect 2 '--overlay belongs to' simulate swing.mop Swing --overlay run.csv
expect 2 '--overlay belongs to' optimize swing.mop Up --overlay run.csv
expect 2 'Still draws nothing' simulate swing.mop Still --film none.svg
expect 1 'cannot read missing.csv' simulate swing.mop Swing --film none.svg --overlay missing.csv
printf 'time,x\n0,1\n' >other.csv
expect 2 'other.csv has no column phi, which the drawing of Swing needs' simulate swing.mop Swing --film none.svg --overlay other.csv
[ ! -e none.svg ] || complain "a refused picture was written"
expect 1 'cannot write' simulate swing.mop Swing --film "$folder/none/film.svg"
exit $failed
