# davis2016: whatever is not 0 is object 1.
"$PYTHON" "$CLI/make_masks.py" truth/a 48x85 3 255:10,10,20,20
"$PYTHON" "$CLI/make_masks.py" pred/a 48x85 3 255:10,10,20,20
"$DENSEVAL" jf --truth truth --pred pred --protocol davis2016 --json 2>/dev/null | $JSON j_mean f_mean objects sequences.0.objects.0.id settings.single_object settings.ends
"$DENSEVAL" jf --truth truth --pred pred --single-object --json 2>/dev/null | $JSON jf_mean settings.protocol settings.single_object settings.void
