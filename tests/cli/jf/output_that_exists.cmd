"$PYTHON" "$CLI/make_masks.py" truth/a 4x4 3 1:0,0,4,2
"$PYTHON" "$CLI/make_masks.py" pred/a 4x4 3 1:0,0,4,3
mkdir mine; echo mine >mine/notes
"$DENSEVAL" jf --truth truth --pred pred --out mine
echo $?
"$DENSEVAL" jf --truth truth --pred pred --out mine --force
echo $?
cat mine/notes
"$DENSEVAL" jf --truth truth --pred pred --out out >/dev/null
rm out/per-frame.csv
"$DENSEVAL" jf --truth truth --pred pred --out out --force >/dev/null
ls out
"$DENSEVAL" jf --truth truth --pred pred --out pred/a --force
echo $?
