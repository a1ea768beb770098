package main

import (
	"slices"
	"time"
)

// demoLot is a lot of the sample house. Prices are in whole units of a currency
// like the dollar.
type demoLot struct {
	seller      int // whose it is, in demoSellers
	title       string
	description string
	price       int           // where it starts
	opens, ends time.Duration // from now; an end of 0 is one that comes while the house is filled
	bids        int           // how many are placed, by different people
}

const day = 24 * time.Hour

// The sellers, by what they sell.
const (
	watches = iota
	workshop
	studio
	library
	sounds
)

// demoLots are all lots of the sample house. The texts are made up, and so is
// what they tell.
func demoLots() []demoLot {
	return slices.Concat(demoWatches(), demoWorkshop(), demoStudio(), demoLibrary(), demoSounds())
}

func demoWatches() []demoLot {
	const h, m = time.Hour, time.Minute
	return []demoLot{
		{watches, "Omega Seamaster, steel, automatic, 1962", `Serviced in March, keeps within six seconds a day. The dial is original and has one small spot near the four. The strap is new; the buckle is not Omega's.`, 620, 0, 5 * m, 6},
		{watches, "Longines dress watch, manual wind, 1950s", `A thin watch of 34 mm with a silvered dial. The crystal has light scratches that would polish out. It runs, but when it was last serviced is not known.`, 240, 0, 3 * h, 3},
		{watches, "セイコー 5スポーツ 自動巻き 腕時計 1970年代", `日付・曜日とも動作します。文字盤に小さな傷があります。ベルトは社外品です。(Seiko 5 Sports, automatic, 1970s. Day and date work; a small mark on the dial; the bracelet is not Seiko's.)`, 90, 0, 40 * m, 7},
		{watches, "Junghans wall clock with Westminster chime", `Strikes the quarters, softly. The oak case has a repaired corner at the top, seen from the left side only. With its key and pendulum.`, 60, 0, 9 * h, 2},
		{watches, "Railway pocket watch, Zenith, signed dial", `Nickel case, 54 mm, with an engraved locomotive on the back. It runs for thirty hours. A hairline crack in the enamel reaches from the two to the centre.`, 110, 0, 2 * day, 2},
		{watches, "Cuckoo clock from the Black Forest, eight days", `The bird is willing and the music box plays two tunes. One of the carved leaves was glued. It needs a nail that holds six kilograms.`, 45, 0, 0, 4},
		{watches, "Marine chronometer, two days, in its brass-bound box", `Made about 1910 and kept in a family ever since. The rate was measured for a month and the sheet goes with it. The gimbals move freely; the key is a replacement.`, 2400, 0, 4 * day, 3},
		{watches, "Box of watchmaker's tools, Bergeon and others", `Screwdrivers, tweezers, hand pullers, two loupes and a case opener. Some blades want dressing. A good start for somebody who is learning.`, 35, 0, 0, 0},
		{watches, "Carriage clock, Paris, about 1890", `Brass and bevelled glass, with the leather travelling case. It goes and strikes the hours on a gong. One side glass has a chip at the lower edge, hidden by the frame.`, 180, 0, 25 * m, 4},
		{watches, "Heuer stopwatch for timekeepers, one fifth of a second", `Black dial, large figures, used at a rowing club until the eighties. Start, stop and reset work cleanly. The ring was re-plated.`, 70, 6 * h, 3 * day, 0},
		{watches, "Art Deco mantel clock, marble and onyx", `Heavy, and meant to stay where it is put. The movement was cleaned two years ago. The two small vases at the sides belong to it and are whole.`, 120, 0, 0, 0},
		{watches, "Ladies' wristwatch, 9 carat gold, Tudor, 1958", `Hallmarked for Birmingham. Small by today's taste, and very pretty. The movement runs; the bracelet is rolled gold and worn at the clasp.`, 150, 0, 14 * h, 2},
	}
}

func demoWorkshop() []demoLot {
	const h, m = time.Hour, time.Minute
	return []demoLot{
		{workshop, "Stanley No. 7 jointer plane", `The sole is flat to within a sheet of paper. The iron has half its life left. Handle and knob are rosewood, the handle with an old, sound repair.`, 55, 0, 8 * m, 5},
		{workshop, "Record 52½ woodworking vice", `Opens to 33 cm, quick release works. Cleaned and oiled, not repainted. You will want somebody to help you carry it.`, 40, 0, 5 * h, 2},
		{workshop, "Set of twelve carving gouges, Addis, boxwood handles", `From a carver who made church furniture. All sharp, all marked, no two the same sweep. The canvas roll is his too.`, 130, 0, 1 * day, 4},
		{workshop, "Myford ML7 lathe with tooling", `Run under power before listing. Little wear in the bed near the chuck. With a three-jaw and a four-jaw chuck, a steady and two boxes of what one needs. Collection only.`, 850, 0, 5 * day, 3},
		{workshop, "Raleigh Superbe, 1955, three speeds, dynamo lights", `Ridden to the shops until last summer. Original paint with honest scratches, new tyres, brakes adjusted. The dynamo in the hub still lights both lamps.`, 140, 0, 15 * m, 5},
		{workshop, "Colnago Super, 56 cm, Campagnolo Nuovo Record", `A racing bicycle of 1978 in Saronni red. The frame is straight and the lugs are sharp. Wheels trued; the saddle was changed for one that can be sat on.`, 950, 0, 7 * h, 6},
		{workshop, "Brompton folding bicycle, six speeds, green", `Eight years old, folded ten thousand times, serviced every spring. New chain and brake cables. The bag for the front goes with it.`, 380, 0, 2 * h, 5},
		{workshop, "Child's bicycle with stabilisers, sixteen inch", `Outgrown. A few scratches and a bell with a duck on it. The stabilisers come off with one spanner.`, 15, 0, 0, 5},
		{workshop, "Thonet Nr. 14 café chairs, Wien, about 1900, set of four", `Steam-bent beech with the paper label under two of the seats. The cane is sound in three and soft in one. They have stood in a kitchen and been used.`, 260, 0, 20 * m, 4},
		{workshop, "Oak refectory table, 2.4 metres", `Made of old floor beams by a joiner in 1987. Seats ten. There is a burn the size of a coin, which we have stopped noticing.`, 420, 0, 3 * day, 1},
		{workshop, "Danish teak sideboard, 1960s", `Four sliding doors and three drawers, all running well. The top was oiled and shows one pale ring. No maker's mark was found.`, 340, 0, 11 * h, 3},
		{workshop, "Anglepoise lamp, three springs, black", `Rewired with a new plug and switch. It stays where it is put. The shade has a dent on the side that faces the wall.`, 50, 0, 0, 6},
		{workshop, "Bookcase ladder with brass rail, three metres", `Ash, with rollers that were made new. From a solicitor's office that has become flats. Screws not included, because they are still in the wall.`, 160, 0, 0, 0},
		{workshop, "Cast-iron garden bench, fern pattern", `In the manner of Coalbrookdale, not marked. One slat was replaced. Heavy enough that nobody will walk off with it.`, 190, 1 * day, 4 * day, 0},
	}
}
