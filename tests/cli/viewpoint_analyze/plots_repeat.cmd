# The same figures are the same bytes, whatever the threads; a name is only text, also where gnuplot or a path would read more.
command -v gnuplot >gnuplot.txt || exit 77
"$PYTHON" "$CLI/make_counts.py"
sed -i 's|"good"|"../`touch made` %g _x^2"|g' both/results.json
for threads in 1 3; do
    "$DENSEVAL" viewpoint analyze --plots required --results both/results.json --bootstrap 20 --threads $threads --out $threads --quiet \
        >out.txt || exit
done
diff -r 1 3
grep -l '<text>../`touch made` %g _x^2</text>' 1/absolute*.svg 1/normalised*.svg
ls 1 | grep touch
test -e made || echo "nothing was touched"
