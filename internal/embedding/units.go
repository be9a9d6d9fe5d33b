// Units of measurement in English and Russian, and numbers in words.

package embedding

import "strings"

// unit is what a word or abbreviation measures, and its size in the unit that
// all of that kind are compared in.
type unit struct {
	name   string // what is measured; amounts of other names never meet
	factor float64
}

// unitTable holds units by their words as stem gives them, with a space between
// what the tokeniser parts: "m3/h" is "m 3 h".
var unitTable = func() map[string]unit {
	table := map[string]unit{}
	for _, u := range []struct {
		name   string
		factor float64
		words  string // separated by commas
	}{
		{"mass", 1, "t,т,тн,ton,tons,tonne,tonnes,тонна,тонн,тонны,тонну,тонник,тонный,тонная,тонного,тонной"},
		{"mass", 1e-3, "kg,kgs,кг,kilo,kilos,kilogram,kilogramme,килограмм,килограммов"},
		{"mass", 1e-6, "g,г,gram,грамм"},
		{"mass", 4.54e-4, "lb,lbs,pound"},
		{"length", 1, "m,м,metre,meter,meters,metres,метр,метра,метров,метровый,метровая"},
		{"length", 1e-2, "cm,см,centimetre,centimeter,сантиметр,сантиметров"},
		{"length", 1e-3, "mm,мм,millimetre,millimeter,миллиметр,миллиметров"},
		{"length", 0.3048, "ft,foot,feet,фут,футов"},
		{"length", 0.0254, "in,inch,inches,дюйм,дюйма,дюймов,дюймовый"},
		{"distance", 1, "km,км,kilometre,kilometer,километр,километров"},
		{"area", 1, "m 2,м 2,sq m,sqm,square metre,square meter,кв м,квадратный метр,квадратных метров,квадрат,квадратов"},
		{"area", 1e4, "ha,га,hectare,гектар,гектаров"},
		{"volume", 1e-3, "l,л,litre,liter,litres,liters,литр,литра,литров,литровый"},
		{"volume", 1, "m 3,м 3,cu m,cubic metre,cubic meter,cbm,cube,куб м,кубический метр,кубических метров,куб,куба,кубов,кубометр,кубометра,кубометров,кубовый,кубовик"},
		{"volume", 1e-6, "cm 3,см 3,cc"},
		{"flow", 1, "m 3 h,м 3 ч,м 3 час,куб в час,кубов в час,кубометров в час,м 3 в час,cubic metres per hour,cubic meters per hour,cubic metres an hour"},
		{"flow", 60, "m 3 min,м 3 мин,кубов в минуту,cubic metres per minute"},
		{"flow", 3600, "m 3 s,м 3 с"},
		{"flow", 1e-3, "l h,л ч,л час,литров в час,litres per hour,liters per hour,litres an hour"},
		{"flow", 6e-2, "l min,л мин,литров в минуту,litres per minute,liters per minute,lpm"},
		{"flow", 1e-3 / 24, "l 24 h,l day,л сут,л сутки,литров в сутки,litres per day,litres a day,л в сутки"},
		{"rate", 1, "t h,т ч,тонн в час,т час,т в час,tonnes per hour,tonnes an hour"},
		{"rate", 1e-3, "kg h,кг ч,кг час,кг в час,килограммов в час,kg per hour,kg an hour"},
		{"rate", 1e-3 / 24, "kg 24 h,kg day,кг сут,кг сутки,кг в сутки,kg per day,kg a day,килограммов в сутки"},
		{"power", 1, "kw,квт,киловатт,киловатта,kilowatt"},
		{"power", 1e-3, "w,вт,ватт,watt,watts"},
		{"power", 1e3, "mw,мвт,мегаватт,megawatt"},
		{"power", 0.7355, "hp,bhp,horsepower,horse power,лс,л с,лошадиных сил,лошадиная сила,лошадей"},
		// A generator's kVA at the usual power factor.
		{"power", 0.8, "kva,ква"},
		{"energy", 1, "kwh,квтч,квт ч,kw h"},
		{"pressure", 1, "bar,бар,atm,атм,атмосфер"},
		{"pressure", 10, "mpa,мпа"},
		{"force", 1, "kn,кн"},
		{"torque", 1, "nm,нм"},
		{"current", 1, "a,а,amp,amps,ampere,ампер"},
		{"voltage", 1, "v,в,volt,volts,вольт"},
		{"voltage", 1e3, "kv,кв,киловольт"},
		{"light", 1, "lm,lumen,lumens,лм,люмен,люменов"},
		{"frequency", 1, "hz,гц,герц"},
		{"frequency", 1e6, "mhz,мгц"},
		{"temperature", 1, "degc,celsius,градус,градусов"},
		{"speed", 1, "km h,км ч,км в час,kph,kmh"},
		{"speed", 3.6, "m s,м с"},
		{"time", 1, "h,ч,hour,hours,час,часа,часов"},
		{"time", 1.0 / 60, "min,мин,minute,minutes,минут"},
		{"people", 1, "person,persons,people,pax,guest,guests,seat,seats,человек,чел,гость,гостей,место,мест,seater,местный,местная"},
	} {
		for words := range strings.SplitSeq(u.words, ",") {
			table[unitKey(tokenise(fold(words), nil))] = unit{u.name, u.factor}
		}
	}
	return table
}()

// maxUnit is how many words a unit has at most.
const maxUnit = 4

// unitKey is what the words of a unit are looked up by.
func unitKey(words []token) string {
	var key strings.Builder
	for i, w := range words {
		if i > 0 {
			key.WriteByte(' ')
		}
		key.WriteString(w.stem)
	}
	return key.String()
}

// floorHeight is what a storey adds to the height that has to be reached, in
// metres.
const floorHeight = 3

var floors = map[string]bool{"floor": true, "storey": true, "stori": true, "story": true, "этаж": true, "этажн": true}

// spelled holds the numbers that stand before floors and units as words, by stem.
var spelled = map[string]float64{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleventh": 11, "twelfth": 12, "fifteenth": 15, "sixteenth": 16, "twentieth": 20, "thirtieth": 30, "fortieth": 40, "fiftieth": 50,
	"twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100,
	"перв": 1, "втор": 2, "трет": 3, "трети": 3, "четверт": 4, "пят": 5, "шест": 6, "седьм": 7, "восьм": 8, "девят": 9, "десят": 10,
	"дв": 2, "два": 2, "две": 2, "три": 3, "четыр": 4, "пять": 5, "шесть": 6, "семь": 7, "восем": 8, "девять": 9, "десять": 10,
	"одиннадцат": 11, "двенадцат": 12, "тринадцат": 13, "четырнадцат": 14, "пятнадцат": 15, "шестнадцат": 16, "семнадцат": 17,
	"восемнадцат": 18, "девятнадцат": 19, "двадцат": 20, "тридцат": 30, "сорок": 40, "пятьдесят": 50, "сто": 100,
}
