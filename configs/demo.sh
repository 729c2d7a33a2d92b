#!/bin/sh
# The demo: a memory bank from the reference bins, seven viewpoint bins scored against it, a picture, and a sweep with
# its breaking points.
# usage: demo.sh PROGRAM [OUTPUT_FOLDER]
set -eu
program=$1
out=${2:-out/demo}
folder=$(cd "$(dirname "$0")" && pwd)
data=$folder/../tests/data/demo
features=$data/features_deep.h5

mkdir -p "$out"
echo "== memory bank: 700 patches from the pictures of the reference bins 0, 30, 60, 90"
"$program" bank build --features "$features" --bins 0,30,60,90 --memory-size 700 --out "$out/bank.h5" --force
echo
echo "== eval: 56 pictures in seven viewpoint bins, against that bank"
"$program" eval --bank "$out/bank.h5" --queries "$features" --predictions "$out/predictions" --force
echo
echo "== overlay: picture, truth and prediction beside each other"
"$program" overlay --images "$data/binned" --truth "$features" --pred "$out/predictions" --out "$out/overlays" \
    --sheet --columns 4 --force --quiet
echo
echo "== sweep: two encoders, three memory sizes, four difficulties, seven viewpoint bins in one pass"
"$program" sweep "$folder/demo.yaml" --out "$out/sweep" --bootstrap 1000 --force
if [ -f "$out/sweep/normalised_700.png" ]; then
    echo "curves: $out/sweep/normalised_700.png, figures and tables beside it"
fi
