# A figure of the categories, where there is gnuplot.
command -v gnuplot >/dev/null || exit 77
. "$CLI/objects/targets.sh"
"$DENSEVAL" objects --targets targets.json --truth truth --pred pred --out out >/dev/null
ls out/iou.*
grep -o '<text>all (3)</text>' out/iou.svg
