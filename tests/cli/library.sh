#!/usr/bin/env bash
# Other files are found: beside the model, by --library, by DAEDAL_PATH, and in the model library that comes with the program,
# where it was built and where it was installed.
set -uo pipefail
daedal=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
unset DAEDAL_PATH
failed=0

expect() { # NAME PATTERN COMMAND...: what the command prints has the pattern
    local name=$1 pattern=$2
    shift 2
    "$@" >out 2>&1
    if ! grep -q -e "$pattern" out; then
        echo "$name: not found: $pattern"
        cat out
        failed=$((failed + 1))
    fi
}

mkdir -p work far/Parts/Deep other
cat >far/Parts/package.mo <<'END'
within ;
package Parts "folder package"
  constant Real k = 3;
end Parts;
END
printf 'Decay\nDeep\n' >far/Parts/package.order
cat >far/Parts/Decay.mo <<'END'
within Parts;
model Decay
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
end Decay;
END
printf 'within Parts;\npackage Deep\nend Deep;\n' >far/Parts/Deep/package.mo
cat >far/Parts/Deep/Two.mo <<'END'
within Parts.Deep;
model Two
  Decay a, b;
end Two;
END
cat >work/use.mo <<'END'
model Use
  import Parts.Deep;
  Deep.Two t;
end Use;
END
cat >other/Parts.mo <<'END'
package Parts package Deep model Two Real one = 1; end Two; end Deep; end Parts;
END

expect without 'work/use.mo:2:10: error: .*no package or class Parts' "$daedal" check work/use.mo
expect option '2 differential: t.a.x, t.b.x' "$daedal" check work/use.mo --library far
expect variable '2 differential: t.a.x, t.b.x' env DAEDAL_PATH=nowhere:far "$daedal" check work/use.mo
expect option_first '1 algebraic: t.one' env DAEDAL_PATH=far "$daedal" check work/use.mo --library other
expect first_option '2 differential' "$daedal" check work/use.mo --library far --library other
expect no_folder 'there is no folder nowhere' "$daedal" check work/use.mo --library nowhere
expect member '1 differential: x' "$daedal" check far/Parts/Decay.mo
expect deep '2 differential: a.x, b.x' "$daedal" check far/Parts/Deep/Two.mo
expect package '2 differential: a.x, b.x' "$daedal" check far/Parts/package.mo Parts.Deep.Two
expect simulate '"status":"ok"' "$daedal" simulate work/use.mo --library far --json
expect linearize '"x":' "$daedal" linearize work/use.mo --library far --json
cp -r far/Parts work/
expect beside '2 differential' "$daedal" check work/use.mo
chmod 000 work/Parts/Decay.mo
[ "$(id -u)" = 0 ] || expect unreadable 'cannot read work/Parts/Decay.mo' "$daedal" check work/use.mo

# the library of the program
cat >own.mo <<'END'
model Own
  import Daedal.Nothing_;
  Nothing_ n;
end Own;
END
expect built 'there is no class Nothing_ in Daedal' "$daedal" check own.mo
if ! grep -qE '^DAEDAL_(SANITIZE|COVERAGE):BOOL=ON' "$DAEDAL_BUILD/CMakeCache.txt"; then
    cmake --install "$DAEDAL_BUILD" --prefix "$folder/there" >/dev/null
    mv there moved
    printf 'package Daedal\n  package Installed\n  end Installed;\nend Daedal;\n' >moved/share/daedal/lib/Daedal/package.mo
    sed -i 's/Nothing_/Installed.Nothing_/; s/^  Installed.Nothing_ n/  Nothing_ n/' own.mo
    expect installed 'there is no class Nothing_ in Daedal.Installed' moved/bin/daedal check own.mo
fi
[ $failed = 0 ] && echo "library: ok"
exit $((failed > 0))
