# The contour of one pixel has 4 pixels, that of the 3 x 3 around it 12, all of them near. As pairs they are 4 of 12.
"$PYTHON" "$CLI/make_masks.py" truth/a 12x12 1 1:5,5,1,1
"$PYTHON" "$CLI/make_masks.py" pred/a 12x12 1 1:4,4,3,3
for matching in dilate bipartite; do
    "$DENSEVAL" jf --truth truth --pred pred --ends none --radius 2 --matching $matching --json | $JSON f_mean settings.matching
done
