# Pictures beside the tables where gnuplot can draw; without it a warning, or a failure where they are asked for.
"$PYTHON" "$CLI/make_counts.py"
command -v gnuplot >gnuplot.txt || exit 77
"$DENSEVAL" viewpoint analyze --plots required --results both/results.json --bootstrap 20 --out out --quiet >out.txt
ls out | grep -c svg$
test "$(ls out/*.svg | wc -l)" = "$(ls out/*.png | wc -l)" && echo "as many PNGs"
"$DENSEVAL" viewpoint analyze --plots required --results both/results.json --out out --quiet --force >out.txt
echo $?
mkdir empty
PATH=$PWD/empty "$DENSEVAL" viewpoint analyze --results both/results.json --out auto >auto.txt
echo $?
PATH=$PWD/empty "$DENSEVAL" viewpoint analyze --plots required --results both/results.json --out none
echo $?
test -e none || echo "no folder is left"
