# Without bin 30 all runs have a hole in the grid of 15 degrees, unless the bins are given.
"$PYTHON" "$CLI/make_results.py"
sed -i '/,30,/d' a_memory100.csv
"$DENSEVAL" viewpoint analyze --plots none --results a_memory100.csv --out a --json --quiet | $JSON bins partial
"$DENSEVAL" viewpoint analyze --plots none --results a_memory100.csv --bins 0,15,45 --out b --json | $JSON bins partial settings.bins
