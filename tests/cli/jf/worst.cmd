# J: a frame 1 is 1/2, frame 2 is 0 for both objects, b is right. Equal ones come by sequence, frame and id.
"$PYTHON" "$CLI/make_masks.py" truth/a 20x20 4 1:0,0,8,8 2:10,10,8,8
"$PYTHON" "$CLI/make_masks.py" pred/a 20x20 4 1:0,0,8,8@0-0 1:0,0,8,4@1-1 2:10,10,8,8@0-1 1:0,12,8,8@2-2 2:10,0,8,8@2-2
"$PYTHON" "$CLI/make_masks.py" truth/b 20x20 4 1:0,0,8,8
"$PYTHON" "$CLI/make_masks.py" pred/b 20x20 4 1:0,0,8,8
"$DENSEVAL" jf --truth truth --pred pred --worst 3 --json | $JSON worst settings.worst | sed 's/}, /},\n/g'
"$DENSEVAL" jf --truth truth --pred pred --worst 100 | tail -7
"$DENSEVAL" jf --truth truth --pred pred --json >out.json
grep -c worst out.json
