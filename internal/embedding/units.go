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
		{"mass", 1, "t,т,тн,ton,tons,tonne,tonnes,mt,тонна,тонн,тонны,тонну,тонник,тонный,тонная,тонного,тонной"},
		{"mass", 0.1, "ц,центнер,центнера,центнеров"},
		{"mass", 1e-3, "kg,kgs,кг,kilo,kilos,kilogram,kilogramme,килограмм,килограммов"},
		{"mass", 1e-6, "g,г,gram,грамм"},
		{"mass", 4.536e-4, "lb,lbs,pound,pounds,фунт,фунтов"},
		{"mass", 2.835e-5, "oz,ounce,ounces,унция,унций"},
		{"length", 1, "m,м,metre,meter,meters,metres,метр,метра,метров,метровый,метровая"},
		{"length", 0.1, "dm,дм,дециметр,дециметров"},
		{"length", 1e-2, "cm,см,centimetre,centimeter,сантиметр,сантиметров"},
		{"length", 1e-3, "mm,мм,millimetre,millimeter,миллиметр,миллиметров"},
		{"length", 1e-6, "um,мкм,micron,microns,micrometre,микрон,микрона,микронов"},
		{"length", 0.9144, "yd,yds,yard,yards,ярд,ярда,ярдов"},
		{"length", 0.3048, "ft,foot,feet,фут,фута,футов,футовый"},
		{"length", 0.0254, "in,inch,inches,дюйм,дюйма,дюймов,дюймовый"},
		{"distance", 1, "km,км,kilometre,kilometer,километр,километров"},
		{"distance", 1.609, "mi,mile,miles,миля,мили,миль"},
		{"distance", 1.852, "nmi,nautical mile,nautical miles,морских миль"},
		{"area", 1, "m 2,м 2,sq m,sqm,square metre,square meter,кв м,квадратный метр,квадратных метров,квадрат,квадратов"},
		{"area", 1e-4, "cm 2,см 2,sq cm,кв см"},
		{"area", 1e-6, "mm 2,мм 2,sq mm,кв мм"},
		{"area", 0.0929, "ft 2,sq ft,sqft,square foot,square feet,кв футов"},
		{"area", 1e4, "ha,га,hectare,гектар,гектара,гектаров"},
		{"area", 4047, "acre,acres,акр,акров"},
		{"area", 1e6, "km 2,км 2,кв км,sq km"},
		{"volume", 1e-3, "l,л,litre,liter,litres,liters,литр,литра,литров,литровый"},
		{"volume", 1, "m 3,м 3,cu m,cubic metre,cubic meter,cbm,cube,куб м,кубический метр,кубических метров,куб,куба,кубов,кубометр,кубометра,кубометров,кубовый,кубовик"},
		{"volume", 1e-6, "cm 3,см 3,cc,ml,мл,millilitre,milliliter,миллилитр,миллилитров"},
		{"volume", 0.1, "hl,гл,гектолитр,гектолитров"},
		{"volume", 3.785e-3, "gal,gallon,gallons,галлон,галлонов"},
		{"volume", 0.02832, "ft 3,cu ft,cubic foot,cubic feet,кубических футов"},
		{"volume", 0.7646, "yd 3,cu yd,cubic yard,cubic yards"},
		{"volume", 0.159, "bbl,barrel,barrels,баррель,баррелей"},
		{"flow", 1, "m 3 h,м 3 ч,м 3 час,куб в час,кубов в час,кубометров в час,м 3 в час,cubic metres per hour,cubic meters per hour,cubic metres an hour"},
		{"flow", 60, "m 3 min,м 3 мин,кубов в минуту,cubic metres per minute"},
		{"flow", 3600, "m 3 s,м 3 с"},
		{"flow", 1.0 / 24, "m 3 day,m 3 d,м 3 сут,м 3 сутки,кубов в сутки"},
		{"flow", 1e-3, "l h,л ч,л час,литров в час,litres per hour,liters per hour,litres an hour"},
		{"flow", 6e-2, "l min,л мин,литров в минуту,litres per minute,liters per minute,litres a minute,lpm"},
		{"flow", 3.6, "l s,литров в секунду,litres per second,liters per second,lps"},
		{"flow", 1e-3 / 24, "l 24 h,l day,л сут,л сутки,литров в сутки,litres per day,litres a day,л в сутки"},
		{"flow", 0.2271, "gpm,gal min,gallons per minute,gallons a minute"},
		{"flow", 3.785e-3, "gph,gal h,gallons per hour,gallons an hour"},
		{"flow", 1.699, "cfm,scfm,ft 3 min,cubic feet per minute"},
		{"rate", 1, "t h,т ч,tph,тонн в час,т час,т в час,tonnes per hour,tonnes an hour,tons per hour,tons an hour"},
		{"rate", 1.0 / 24, "t day,t d,т сут,т сутки,тонн в сутки,tonnes per day,tonnes a day,tons per day,tons a day"},
		{"rate", 1e-3, "kg h,кг ч,кг час,кг в час,килограммов в час,kg per hour,kg an hour"},
		{"rate", 1e-3 / 24, "kg 24 h,kg day,кг сут,кг сутки,кг в сутки,kg per day,kg a day,килограммов в сутки"},
		{"rate", 4.536e-4, "lb h,lbs h,pounds per hour,pounds an hour"},
		{"area rate", 1, "m 2 h,м 2 ч,м 2 час,м 2 в час,кв м в час,square metres per hour,square meters per hour,square metres an hour"},
		{"area rate", 1e4, "ha h,га ч,га час,га в час,hectares per hour,hectares an hour,гектаров в час"},
		{"area rate", 4047, "acres per hour,acres an hour"},
		{"power", 1, "kw,квт,киловатт,киловатта,kilowatt"},
		{"power", 1e-3, "w,вт,ватт,watt,watts"},
		{"power", 1e3, "mw,мвт,мегаватт,megawatt"},
		{"power", 0.7355, "hp,bhp,horsepower,horse power,лс,л с,лошадиных сил,лошадиная сила,лошадей,сил"},
		// A generator's kVA at the usual power factor.
		{"power", 0.8, "kva,ква"},
		{"power", 8e-4, "va,ва"},
		{"power", 800, "mva,мва"},
		{"power", 2.931e-4, "btu h,btu,бте"},
		{"power", 1.163e-3, "kcal h,ккал ч,ккал час"},
		{"power", 1163, "гкал ч,гкал час"},
		{"energy", 1, "kwh,квтч,квт ч,kw h,киловатт часов"},
		{"energy", 1e-3, "wh,втч,вт ч,w h"},
		{"energy", 1e3, "mwh,мвтч,мвт ч,mw h"},
		{"blow", 1, "j,дж,joule,joules,джоуль,джоуля,джоулей"},
		{"blow", 1e3, "kj,кдж"},
		{"charge", 1, "ah,ач,а ч,amp hours,ампер часов"},
		{"charge", 1e-3, "mah,мач,ма ч"},
		{"pressure", 1, "bar,бар,atm,атм,атмосфер"},
		{"pressure", 10, "mpa,мпа"},
		{"pressure", 0.01, "kpa,кпа"},
		{"pressure", 1e-3, "mbar,мбар"},
		{"pressure", 0.06895, "psi,фунтов на квадратный дюйм"},
		{"pressure", 0.9807, "kgf cm 2,кгс см 2,kg cm 2,кг см 2"},
		{"pressure", 1e-5, "pa,па,паскаль"},
		{"pressure", 1.333e-3, "mm hg,мм рт ст"},
		{"force", 1, "kn,кн,килоньютон"},
		{"force", 1e-3, "n,newton,newtons,ньютон,ньютонов"},
		{"force", 9.807, "tf,тс,tonnes force,тонна сил"},
		{"force", 9.807e-3, "kgf,кгс"},
		{"force", 4.448e-3, "lbf"},
		{"torque", 1, "nm,нм,n m,н м,newton metres,newton meters"},
		{"torque", 1e3, "knm,кнм,kn m,кн м"},
		{"torque", 1.356, "ft lb,lb ft,ft lbs"},
		{"current", 1, "a,а,amp,amps,ampere,ампер,амперов"},
		{"current", 1e-3, "ma,ма,миллиампер"},
		{"current", 1e3, "ka,ка"},
		{"voltage", 1, "v,в,volt,volts,вольт"},
		{"voltage", 1e3, "kv,кв,киловольт"},
		{"light", 1, "lm,lumen,lumens,лм,люмен,люменов"},
		{"illuminance", 1, "lx,lux,лк,люкс"},
		{"luminance", 1, "nit,nits,cd m 2,кд м 2,нит"},
		{"sound", 1, "db,дб,dba,дба,decibel,decibels,децибел"},
		{"frequency", 1, "hz,гц,герц"},
		{"frequency", 1e3, "khz,кгц,килогерц"},
		{"frequency", 1e6, "mhz,мгц,мегагерц"},
		{"frequency", 1e9, "ghz,ггц,гигагерц"},
		{"rotation", 1, "rpm,об мин,r min,оборотов,оборотов в минуту,об в минуту,revolutions per minute,revs per minute"},
		{"strokes", 1, "bpm,уд мин,ударов в минуту,blows per minute,strokes per minute,blows a minute,ходов в минуту"},
		{"temperature", 1, "degc,celsius,градус,градуса,градусов,degree,degrees,deg"},
		{"speed", 1, "km h,км ч,км в час,kph,kmh,километров в час"},
		{"speed", 1.609, "mph,mi h,miles per hour,miles an hour"},
		{"speed", 1.852, "kn h,knot,knots,узел,узла,узлов"},
		{"speed", 3.6, "m s,м с,метров в секунду,metres per second,meters per second"},
		{"speed", 3.6e-3, "mm s,мм с,миллиметров в секунду"},
		{"speed", 0.036, "cm s,см с,сантиметров в секунду"},
		{"speed", 1e-3, "m h,м ч,м час,метров в час,metres per hour,meters per hour"},
		{"speed", 1.097, "ft s,feet per second"},
		{"speed", 0.0183, "ft min,fpm,feet per minute"},
		{"speed", 0.06, "m min,м мин,метров в минуту,metres per minute,meters per minute"},
		{"resolution", 1, "dpi,точек на дюйм"},
		{"pixels", 1, "mp,мп,мпикс,megapixel,megapixels,мегапиксель,мегапикселей"},
		{"data", 1, "gb,гб,gigabyte,гигабайт"},
		{"data", 1e3, "tb,тб,terabyte,терабайт"},
		{"data", 1e-3, "mb,мб,megabyte,мегабайт"},
		{"data rate", 1, "mbps,мбит с,mbit s,мбит"},
		{"data rate", 1e3, "gbps,гбит с,gbit s,гбит"},
		{"data rate", 1e-3, "kbps,кбит с,kbit s,кбит"},
		{"frames", 1, "fps,frames per second,frames a second,кадров в секунду,кадр с,кадров с"},
		{"channels", 1, "channel,channels,канал,канала,каналов,канальный"},
		{"axes", 1, "axis,axes,ось,оси,осей,осевой,координатный"},
		{"pieces", 1, "pcs h,шт ч,шт час,шт в час,штук в час,pieces per hour,pieces an hour,sheets h,sheets per hour,sheets an hour,лист ч,листов ч,листов час,листов в час," +
			"bottles h,bph,bottles per hour,bottles an hour,бут ч,бутылок в час,impressions per hour,оттисков в час,cycles per hour,циклов в час,labels per hour,этикеток в час"},
		{"pieces", 60, "pcs min,шт мин,шт в мин,штук в минуту,pieces per minute,pieces a minute,sheets per minute,листов в минуту,pages per minute,стр мин,страниц в минуту," +
			"copies per minute,копий в минуту,bottles per minute,бутылок в минуту,labels per minute,этикеток в минуту,cycles per minute,циклов в минуту,packs per minute"},
		{"share", 1, "percent,pct,per cent,процент,процента,процентов"},
		{"concentration", 1, "ppm"},
		{"density", 1, "gsm,g m 2,г м 2,грамм на квадратный метр"},
		{"time", 1, "h,ч,hour,hours,час,часа,часов"},
		{"time", 1.0 / 60, "min,мин,minute,minutes,минут"},
		{"time", 1.0 / 3600, "s,sec,secs,second,seconds,сек,секунд,секунды"},
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
var spelled = func() map[string]float64 {
	table := map[string]float64{}
	for value, words := range map[float64]string{
		1: "one first первый", 2: "two second два две двух второй", 3: "three third три трех третий третьего", 4: "four fourth четыре четырех четвертый",
		5: "five fifth пять пяти пятый", 6: "six sixth шесть шести шестой", 7: "seven seventh семь семи седьмой", 8: "eight eighth восемь восьми восьмой",
		9: "nine ninth девять девяти девятый", 10: "ten tenth десять десяти десятый", 11: "eleven eleventh одиннадцать одиннадцатый",
		12: "twelve twelfth двенадцать двенадцатый", 13: "thirteen тринадцать", 14: "fourteen четырнадцать", 15: "fifteen fifteenth пятнадцать пятнадцатый",
		16: "sixteen sixteenth шестнадцать", 17: "seventeen семнадцать", 18: "eighteen восемнадцать", 19: "nineteen девятнадцать",
		20: "twenty twentieth двадцать двадцатый", 30: "thirty thirtieth тридцать", 40: "forty fortieth сорок", 50: "fifty fiftieth пятьдесят",
		60: "sixty шестьдесят", 70: "seventy семьдесят", 80: "eighty восемьдесят", 90: "ninety девяносто", 100: "hundred сто", 200: "двести",
		300: "триста", 500: "пятьсот", 1000: "thousand тысяча",
	} {
		for word := range strings.FieldsSeq(words) {
			table[stem(word)] = value
		}
	}
	return table
}()
