"$PYTHON" "$CLI/make_masks.py" truth/a 10x10 3 1:0,0,4,4 2:5,5,4,4
"$PYTHON" "$CLI/make_masks.py" pred/a 10x10 3 1:0,0,4,4 2:5,5,4,4
head -c 20 truth/a/00000.png >pred/a/00001.png
"$DENSEVAL" jf --truth truth --pred pred --out out
status=$?
ls
exit $status
