# Eight sequences a figure; the ends are not scored. The same run gives the same bytes.
command -v gnuplot >/dev/null || exit 77
for name in a b c d e f g h i; do
    "$PYTHON" "$CLI/make_masks.py" truth/$name 20x20 5 1:4,4,8,8 2:14,14,4,4
    "$PYTHON" "$CLI/make_masks.py" pred/$name 20x20 5 1:4,8,8,8 2:14,14,4,4
done
"$DENSEVAL" jf --truth truth --pred pred --plots --out out >/dev/null
"$DENSEVAL" jf --truth truth --pred pred --plots --out again --threads 1 >/dev/null
ls out
grep -o '<text>[a-i]</text>' out/curves-01.svg | tr -d '\n'
echo
grep -o '<text>\(i\|J, mean of the objects\|least to greatest object\)</text>' out/curves-02.svg
for file in curves-01.svg curves-01.png curves-02.svg; do cmp out/$file again/$file; done
