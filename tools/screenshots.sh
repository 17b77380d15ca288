#!/usr/bin/env bash
# Pictures of the pages of `make demo`, for README.md: docs/pictures/*.png. Usage: screenshots.sh PATH_OF_DAEDAL
# Needs Chromium; without it the pictures stay as they are.
set -eu
cd "$(dirname "$0")/.."
daedal=$1
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
    echo "screenshots: there is no Chromium (package chromium): docs/pictures stays as it is"
    exit 0
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sh tools/demo.sh "$daedal" "$folder/pages" >/dev/null
mkdir -p docs/pictures

# shoot PAGE TIME HEIGHT: the scene stands still at that time
shoot() {
    timeout 120 "$browser" --headless=new --no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader --hide-scrollbars \
        --user-data-dir="$folder/profile" --window-size="1000,$3" --virtual-time-budget=4000 \
        --screenshot="$folder/$1.png" "file://$folder/pages/$1.html#time=$2" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
    cp "$folder/$1.png" "docs/pictures/$1.png"
    echo "docs/pictures/$1.png"
}

shoot pendulum 0 860
shoot delta_robot 0.55 860
shoot swing_up 1.1 860
