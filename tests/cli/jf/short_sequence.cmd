# Two frames, both of them ends: nothing to score, which enters no mean.
"$PYTHON" "$CLI/make_masks.py" truth/a 10x10 2 1:0,0,4,4
"$PYTHON" "$CLI/make_masks.py" truth/b 10x10 5 1:0,0,4,4
cp -r truth pred
"$DENSEVAL" jf --truth truth --pred pred --json 2>err | $JSON jf_mean objects sequences.0.frames sequences.0.j_mean sequences.0.objects.0.frames \
    sequences.0.objects.0.j_mean sequences.1.objects.0.frames per_sequence.sequences
grep "not scored" err
