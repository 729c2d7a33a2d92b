# By id, then by pixels: two that are the same, an image of another shape with the same bytes, and one that differs.
"$PYTHON" "$CLI/make_masks.py" pictures 2x4 4 5:0,0,2,4@0-1 6:0,0,2,4@2-2 5:0,0,2,3@3-3 --store gray
"$PYTHON" "$CLI/make_masks.py" turned 4x2 1 5:0,0,4,2 --store gray
cp turned/00000.png pictures/00004.png
printf '00000.png\r\n 00002 \r\n00004\r\n\r\n' >train.txt
printf '00001\n00003.PNG\n00002\n00002' >test.txt
"$DENSEVAL" iou --splits train.txt,test.txt --images pictures
"$DENSEVAL" iou --splits train.txt,test.txt --json | $JSON leakage
rm pictures/00003.png
"$DENSEVAL" iou --splits train.txt,test.txt --images pictures
echo $?
"$DENSEVAL" iou --splits train.txt,test.txt --images pictures --skip-bad --json | $JSON leakage.same_pixels_other_id leakage.left_out_pictures
printf '\n' >test.txt
"$DENSEVAL" iou --splits train.txt,test.txt
"$DENSEVAL" iou --splits train.txt
"$DENSEVAL" iou --images pictures
"$DENSEVAL" iou --splits train.txt,train.txt --per-image new.csv
