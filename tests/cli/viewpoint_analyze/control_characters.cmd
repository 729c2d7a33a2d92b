# A name that would break or colour a table is refused in both kinds of files.
"$PYTHON" "$CLI/make_results.py"
sed -i '2s/^flat/"fl\n\x1bat"/' a_memory100.csv
"$DENSEVAL" viewpoint analyze --plots none --results a_memory100.csv --out out
echo "status $?"
for what in '"encoder": "' '"difficulty": "' '"name": "'; do
    sed "s/$what/$what\\\\u001b/" results.json > bad.json
    "$DENSEVAL" viewpoint analyze --plots none --results bad.json --out out
    echo "status $?"
done
ls out 2> /dev/null
exit 0
