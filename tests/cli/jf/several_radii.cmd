"$PYTHON" "$CLI/make_masks.py" truth/a 100x100 1 1:20,20,10,10
"$PYTHON" "$CLI/make_masks.py" pred/a 100x100 1 1:20,24,10,10
"$DENSEVAL" jf --truth truth --pred pred --ends none --radius 1,2,3,4 --json >found.json
$JSON radii.0.radius_px radii.0.f_mean radii.1.f_mean radii.2.f_mean radii.3.radius_px radii.3.f_mean radii.3.jf_mean <found.json
$JSON f_mean sequences.0.objects.0.radii.2.f sequences.0.radius_px settings.radius settings.bound <found.json
"$DENSEVAL" jf --truth truth --pred pred --ends none --radius 4,1 | tail -4
