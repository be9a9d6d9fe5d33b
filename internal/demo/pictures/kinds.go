package pictures

// This file: which drawing and which surroundings a type of the demo catalogue has.

import (
	"maps"
	"slices"
)

type kind struct {
	draw  func(*machine)
	scene scene
}

var kinds = map[string]kind{
	"all-terrain-crane":        {mobileCrane(62, 100, 170, 208, 274), city},
	"articulated-dumper":       {articulatedDumper, quarry},
	"articulating-boom":        {boomLift(false), city},
	"asphalt-paver":            {paver, road},
	"backhoe-loader":           {backhoe, yard},
	"baler":                    {baler, field},
	"bucket-wheel-excavator":   {bucketWheel, quarry},
	"cargo-truck":              {flatbed, road},
	"chain-trencher":           {trencher, field},
	"combine-harvester":        {combine, field},
	"compact-track-loader":     {skidSteer(true), yard},
	"compact-wheel-loader":     {loader(.86), yard},
	"crawler-crane":            {crawlerCrane, city},
	"crawler-dozer":            {dozer(10), quarry},
	"crawler-excavator":        {excavator(1, frontUsual), quarry},
	"demolition-excavator":     {excavator(1, frontHighReach), city},
	"demolition-robot":         {robot, hall},
	"dewatering-pump":          {waterPump, yard},
	"diesel-forklift":          {forklift, hall},
	"diesel-genset":            {genset, yard},
	"directional-drill":        {directionalDrill, field},
	"electric-forklift":        {forklift, hall},
	"electric-scissor":         {scissorLift(false), hall},
	"field-sprayer":            {sprayer, field},
	"forage-harvester":         {forageHarvester, field},
	"forest-harvester":         {forestHarvester, forest},
	"forestry-mulcher":         {mulcher, forest},
	"forwarder":                {forwarder, forest},
	"high-power-tractor":       {bigTractor, field},
	"light-tower":              {lightTower, night},
	"loader-crane-truck":       {loaderCraneTruck, city},
	"long-reach-excavator":     {excavator(1, frontLong), water},
	"low-loader":               {lowLoader, road},
	"luffing-crane":            {luffingCrane, city},
	"midi-excavator":           {excavator(.86, frontUsual), yard},
	"milling-machine":          {millingMachine, road},
	"mini-excavator":           {excavator(.72, frontUsual), yard},
	"mining-excavator":         {excavator(1.08, frontUsual), quarry},
	"mobile-crusher":           {crusher, quarry},
	"motor-grader":             {grader, road},
	"off-road-truck":           {offRoadTruck, forest},
	"pipelayer":                {pipelayer, field},
	"pneumatic-roller":         {tyreRoller, road},
	"portable-compressor":      {compressor, yard},
	"portable-generator":       {portableGenerator, yard},
	"rigid-dumper":             {rigidDumper, quarry},
	"rotary-drilling-rig":      {drillRig, city},
	"rotating-telehandler":     {telehandler(true), city},
	"rough-terrain-crane":      {roughTerrainCrane, quarry},
	"rough-terrain-scissor":    {scissorLift(true), yard},
	"row-crop-tractor":         {tractor, field},
	"self-erecting-crane":      {selfErectingCrane, city},
	"self-loading-mixer":       {selfMixer, yard},
	"single-drum-roller":       {drumRoller, road},
	"site-dumper":              {siteDumper, yard},
	"skid-steer":               {skidSteer(false), yard},
	"soil-stabiliser":          {stabiliser, field},
	"spider-crane":             {spiderCrane, city},
	"stationary-concrete-pump": {concretePump, city},
	"swamp-dozer":              {dozer(34), water},
	"tandem-roller":            {tandemRoller, road},
	"tanker-truck":             {tank(white), road},
	"telehandler":              {telehandler(false), yard},
	"telescopic-boom":          {boomLift(true), city},
	"tipper-truck":             {tipper, road},
	"tower-crane":              {towerCrane, city},
	"tracked-carrier":          {trackedCarrier, forest},
	"tractor-unit":             {tractorUnit, road},
	"trench-compactor":         {plateCompactor, yard},
	"truck-concrete-pump":      {pumpTruck, city},
	"truck-crane":              {mobileCrane(64, 104, 272), city},
	"truck-mixer":              {mixer, city},
	"truck-platform":           {truckPlatform, city},
	"vacuum-truck":             {vacuumTruck, road},
	"wheel-loader":             {loader(1), quarry},
	"wheeled-excavator":        {wheeledExcavator, road},
	"wood-chipper":             {chipper, forest},
}

// makers' colours: of the machine, and the second one
var makers = map[string][2]uint32{
	"Caterpillar": {0xf2b632, 0x33383c}, "Komatsu": {0xf0b429, 0x3d4247}, "Komatsu Forest": {0xd8472b, 0x33383c}, "Liebherr": {0xf3c63a, 0xe9e9e4},
	"JCB": {0xf5b82e, 0x2c3033}, "Volvo": {0xe9ae3a, 0x4a5057}, "Volvo Trucks": {0x2f5d8c, 0xd9dcdd}, "Bobcat": {0xeeeae2, 0xe4572e}, "John Deere": {0x3c7d3a, 0xf2cf3c},
	"Genie": {0x3f6fb0, 0xe6e6e0}, "JLG": {0xe8752a, 0xf2efe8}, "Manitou": {0xc9342c, 0x3a3f43}, "Haulotte": {0xf0b429, 0x2f6fb5},
	"KAMAZ": {0xe7762d, 0x58656f}, "MAZ": {0x2f6f9f, 0x7d8790}, "Ural": {0x55724a, 0x6a7a5c}, "GAZ": {0x3d78a8, 0x8d969d}, "MAN": {0xc23b34, 0x9aa3aa}, "Scania": {0x31618f, 0xaab2b8},
	"Mercedes-Benz": {0xdfe3e4, 0x5b6670}, "Sinotruk": {0xc9382e, 0x8b8f92}, "Atlas Copco": {0xf2c230, 0x3b4045}, "Kaeser": {0xf0c033, 0x40454a}, "Potain": {0xd6403a, 0x8d9297},
	"Hamm": {0xe87e2c, 0x454b50}, "Wirtgen": {0xefefe9, 0x3a5f98}, "Vögele": {0x4a8b57, 0xe9e9e4}, "Bomag": {0xf3c534, 0x3a3f43}, "Dynapac": {0xf0c133, 0xc9372c},
	"Claas": {0xb8c82e, 0xe8e6dc}, "Fendt": {0x4b7d43, 0xb6352c}, "Case": {0xd99138, 0x2f3438}, "Case IH": {0xb8322b, 0x2f3438}, "New Holland": {0x2f63a8, 0xf0c640}, "MTZ": {0x3173b5, 0xc93a2e},
	"Kirovets": {0xe8b637, 0x33383c}, "Rostselmash": {0xcf3b2f, 0xf0efe8}, "Gomselmash": {0x3b8250, 0xe9e3cc}, "Krone": {0x6d9b3a, 0xe9e3cc}, "Amazone": {0x4f8a4a, 0xe88a2f},
	"Kubota": {0xe66f2b, 0x3b4045}, "Hitachi": {0xe37430, 0x3a3f43}, "Takeuchi": {0xd8473a, 0xbfc4c8}, "Kobelco": {0x4aa0a0, 0xe9e9e2}, "Hyundai": {0xe8a22f, 0x4a4f54}, "Sany": {0xe9b931, 0xb93a31},
	"XCMG": {0xf0be2f, 0x46617c}, "Zoomlion": {0x8fae3f, 0x4b5054}, "Shantui": {0xefb92e, 0x33383c}, "SDLG": {0xeec235, 0x3d4247}, "Putzmeister": {0xb9362f, 0xc9342c}, "Schwing": {0xe9e7df, 0xc9382e},
	"Schwing Stetter": {0xe9e7df, 0xc9a02e}, "Honda": {0xcc3a32, 0x3b4045}, "FG Wilson": {0xe8e6de, 0x4a6d94}, "Cummins": {0x4e8054, 0xe8e6de}, "Ponsse": {0xf0c435, 0x2f3438}, "Vermeer": {0xf0c132, 0x3b4045},
	"Wacker Neuson": {0xf3c332, 0x4a4f54}, "Grove": {0xe5b13a, 0xe9e9e4}, "Tadano": {0x3b73b0, 0xe9e9e4}, "Terex": {0xdfe0dc, 0x9a3b33}, "Ivanovets": {0xe7762d, 0xe9e4d6}, "Galichanin": {0x3b73b0, 0xeceade},
	"BelAZ": {0xe9bd34, 0x40454a}, "ChTZ": {0xe0a52e, 0x3a3f43}, "Brokk": {0xf0c435, 0x3a3f43}, "Avant": {0xc9342c, 0x3a3f43}, "Linde": {0xb93a32, 0x3a3f43}, "Still": {0xe87e2c, 0x4a4f54}, "Jungheinrich": {0xeac22f, 0x3b4045},
	"Toyota": {0xe77b2b, 0x3b4045}, "Prinoth": {0x33383c, 0xe7a52e}, "Sandvik": {0xe9983a, 0x3b4045}, "Metso": {0x3f7f9c, 0xe8e6de}, "Bauer": {0xf1c23a, 0x3b4045}, "Maeda": {0xe8b637, 0xc93a2e}, "Unic": {0xc9342c, 0x3a3f43},
}

// others have one of these
var painted = [][2]uint32{{0xe9b238, 0x3f444a}, {0x3f74a3, 0xdfe2e3}, {0xd97a32, 0x454a50}, {0x4c8657, 0xe4e2d8}, {0xc6433a, 0x4a4f54}, {0xe3e1d8, 0x5a6d80}}

// Types are the types of the demo catalogue that have a drawing.
func Types() []string { return slices.Collect(maps.Keys(kinds)) }
