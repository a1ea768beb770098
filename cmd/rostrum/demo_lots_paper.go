package main

import "time"

func demoStudio() []demoLot {
	const h, m = time.Hour, time.Minute
	return []demoLot{
		{studio, "葛飾北斎「神奈川沖浪裏」 アダチ版 復刻木版画", `桜の版木による手摺りの復刻版です。状態は良好で、余白に薄いしみが一か所あります。(Hokusai, The Great Wave, a hand-printed modern woodblock edition. Very good; one faint spot in the margin.)`, 120, 0, 12 * m, 6},
		{studio, "萩焼 抹茶碗 共箱", `使用感はありますが、欠けやひびはありません。箱に作家の署名があります。(Hagi tea bowl in its signed box. Used, without chips or cracks.)`, 80, 0, 4 * h, 3},
		{studio, "宜兴紫砂壶 西施壶 300毫升", `八十年代旧壶,日常使用,壶盖密合,无磕碰。(Yixing teapot, Xishi shape, 300 ml, from the eighties. The lid fits closely.)`, 95, 0, 55 * m, 4},
		{studio, "景德镇青花瓷盘 清晚期 缠枝莲纹", `直径24厘米,口沿有一处小冲线,不影响观赏。(Blue and white dish, late Qing, 24 cm, with a short hairline at the rim.)`, 210, 0, 2 * day, 2},
		{studio, "端砚 仔石 带红木盒", `石质细腻,有使用痕迹。红木盒为后配。(Duan inkstone, fine-grained and used; the rosewood box was made later.)`, 130, 0, 0, 4},
		{studio, "Etching after Piranesi, view of the Pantheon", `A nineteenth-century printing on laid paper, 47 by 69 cm. The fold in the middle is flattened and shows. Not framed.`, 85, 0, 30 * m, 3},
		{studio, "Linocut of swallows, signed, 14/50", `Three colours, printed by the artist in 1991. It hung away from the sun and has kept its blue. In a plain ash frame with non-reflecting glass.`, 40, 0, 6 * h, 3},
		{studio, "Affiche «Côte d'Azur», lithographie, 1937", `Entoilée, couleurs fraîches, deux petites restaurations dans la marge. (Travel poster, backed on linen, 62 by 100 cm; two small repairs in the margin.)`, 280, 0, 16 * h, 4},
		{studio, "Botanical plates, set of six, hand-coloured", `Auriculas and tulips from a Dutch work of about 1790. Light browning at the edges where an old mount was. The colours are contemporary.`, 170, 0, 3 * day, 1},
		{studio, "Búcaro de cristal tallado, Real Fábrica de La Granja", `Altura 28 cm. Sin roturas; ligera marca de agua en el fondo. (Cut-glass vase, whole, with a faint water line inside.)`, 65, 0, 0, 0},
		{studio, "Rosenthal Kaffeeservice „Maria“ für sechs Personen", `Vollständig, 21 Teile, weiß. Eine Untertasse hat einen winzigen Abplatzer am Fuß. (Coffee service for six, complete; one saucer has a tiny chip underneath.)`, 75, 0, 5 * day, 1},
		{studio, "Leach Pottery standard ware, celadon jug", `With the pottery's seal. It pours without a drip, which is more than can be said of most. A firing mark under the handle was there from the beginning.`, 60, 2 * h, 2 * day, 0},
	}
}

func demoLibrary() []demoLot {
	const h, m = time.Hour, time.Minute
	return []demoLot{
		{library, "Atlas général, Paris, début du XIXe siècle", `Cartes au nombre de 42, gravées, limites coloriées à la main. Reliure d'époque frottée. (Forty-two engraved maps, outline colour, in a worn contemporary binding. Collated, complete.)`, 900, 0, 35 * m, 5},
		{library, "Sea chart of the Sound, Øresund, 1853", `Danish Admiralty, corrected by hand until 1871. Soundings in fathoms. Folded twice, with a tear of three centimetres closed from behind.`, 220, 0, 1*day + 4*h, 2},
		{library, "Ordnance Survey, one inch, Snowdonia, on linen, 1921", `Folds into its red cover as it was meant to. Somebody has drawn a walk on it in pencil, and it is a good one.`, 20, 0, 8 * h, 3},
		{library, "Darwin, On the Origin of Species, sixth edition, 1872", `The green cloth is bright and the hinges are firm. A former owner's name on the half title, dated 1880. Foxing on the first and last leaves.`, 480, 0, 50 * m, 4},
		{library, "Encyclopædia Britannica, eleventh edition, 29 volumes", `On India paper, in the small format. Volume 17 has a stain on the cover. Complete with the index, and still the best company in a power cut.`, 160, 0, 4 * day, 1},
		{library, "Brontë, Villette, three volumes, 1853, second issue", `Rebound in half calf about 1900. Some leaves are soiled at the corners where they were turned, as one would wish of a novel.`, 350, 0, 12 * h, 2},
		{library, "夏目漱石『吾輩は猫である』 復刻本 三冊揃", `外函つき。本文は良好、函に擦れがあります。(Natsume Sōseki, I Am a Cat, facsimile of the first edition, three volumes in their case; the case is rubbed.)`, 70, 0, 0, 3},
		{library, "Cookery manuscript, English, 1780 to 1810", `Two hundred receipts in three hands, with the household's accounts at the back. The vellum is stained as a cook's book will be. Several cakes were tried, and are good.`, 300, 0, 20 * h, 5},
		{library, "Château Margaux 1996, six bottles, original case", `Bought on release and kept in one cellar at twelve degrees. Levels into the neck. The case has been opened once, to look.`, 2600, 0, 6 * h, 4},
		{library, "Mosel Riesling Auslese 1990, Wehlener Sonnenuhr, three bottles", `From the grower's cellar sale. One label is torn, all corks sit well. Drink it with nothing, or with somebody.`, 140, 0, 0, 5},
		{library, "Quinta do Noval vintage port 1963, one bottle", `The level is at the base of the neck and the wax is whole. It has lain on its side since it was bought. Stand it up the day before.`, 230, 0, 2*day + 5*h, 2},
		{library, "Celestial globe, Malby, 12 inch, 1860", `On a turned mahogany stand. The varnish has gone the colour of tea. A dent in Cygnus; no loss to the gores elsewhere.`, 1100, 12 * h, 6 * day, 0},
	}
}

func demoSounds() []demoLot {
	const h, m = time.Hour, time.Minute
	return []demoLot{
		{sounds, "Höfner archtop guitar, 1958, sunburst", `Straight neck, low action, one pick-up that works. A crack in the top beside the tailpiece was repaired long ago and has stayed shut. In a later case.`, 420, 0, 18 * m, 5},
		{sounds, "Violin, Mirecourt, about 1900, with bow", `Labelled as something grander, which it is not. A warm and even tone. Set up this year by a maker whose bill goes with it.`, 550, 0, 10 * h, 4},
		{sounds, "Wheatstone concertina, 48 keys, English system", `In tune with itself at A=439. The bellows are tight and were patched at two corners. With its hexagonal leather box.`, 780, 0, 1*day + 8*h, 3},
		{sounds, "Roland Juno-60 synthesiser", `All six voices and all sliders work. One key is a shade yellower than the others. Serviced, with a new battery and a list of what was done.`, 1300, 0, 3 * h, 7},
		{sounds, "Upright piano, Bechstein, model 10, 1911", `Black, overstrung, tuned twice a year. The ivories are whole but for one chip on the lowest A. Ground floor, wide door; the carrier is yours.`, 700, 0, 6 * day, 1},
		{sounds, "John Coltrane, Blue Train, first pressing", `Blue Note BLP 1577, West 63rd label, ear in the dead wax. The record plays with light surface noise and no skips. Sleeve with a split of four centimetres.`, 320, 0, 45 * m, 6},
		{sounds, "The Beatles, Please Please Me, mono, black and gold label", `Side one has a mark that ticks eleven times. The sleeve is laminated and complete. Played by three generations.`, 260, 0, 5 * h, 3},
		{sounds, "Fifty jazz records, mostly Verve and Prestige", `From a library that was given up. Each was looked at under a lamp, and a list by grade goes with them. Two are there for the sleeve only.`, 150, 0, 2 * day, 2},
		{sounds, "Édith Piaf à l'Olympia, 25 cm, 1956", `Pochette en très bon état, disque propre. (Ten-inch record in a very good sleeve.)`, 15, 0, 0, 4},
		{sounds, "Leica M3, double stroke, with 50 mm Summicron", `The shutter is right at all speeds, tested this autumn. Cleaning marks on the front element that no picture will show. Vulcanite whole.`, 980, 0, 13 * h, 5},
		{sounds, "Rolleiflex 2.8F with lens hood and case", `Planar lens, clear. The meter answers, though nobody would swear to its word. The strap of the case is new.`, 650, 0, 3*day + 6*h, 2},
		{sounds, "Hohner Melodica, green, boxed", `Every note sounds. The box has a previous price on it, which we leave for comparison.`, 0, 8 * h, 2*day + 3*h, 0},
		{sounds, "Garrard 401 turntable in a plywood plinth", `Runs quietly and at speed after ten minutes. The tone arm is an SME 3009, rewired. No cartridge.`, 750, 3 * h, 5 * day, 0},
	}
}
