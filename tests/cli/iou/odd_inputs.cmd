# Links in a ring, a side of which nothing can be read, lists with other line ends, and too many pictures that are alike.
. "$CLI/iou/maps.sh"
ln -s ring pred/ring
iou --quiet >table
echo $?
ln -s 00009.png pred/00009.png
iou
echo $?
rm pred/00009.png
mkdir empty
: >empty/00000.png
: >empty/00001.png
"$DENSEVAL" iou --truth empty --pred pred --classes 3 --skip-bad --allow-empty --json | $JSON same left_out_images
printf '00000\r00001\r' >mac.txt
printf '00000\n' >list.txt
"$DENSEVAL" iou --splits mac.txt,list.txt
echo $?
printf 'rest\rcat\rdog\r' >names
"$DENSEVAL" iou --truth truth --pred pred --class-names names
echo $?
"$PYTHON" -c 'import os; os.mkdir("alike"); [os.link("truth/00000.png", f"alike/{i}.png") for i in range(1500)]'
seq 0 1499 >alike.txt
printf '1\n' >list.txt
"$DENSEVAL" iou --splits alike.txt,list.txt --images alike
