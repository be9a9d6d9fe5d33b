package strictjson

// This file: the names of values, as answers show them (contract 7.2).

import "strings"

// Path is where a value is in a JSON text, as in params[2].value. It is empty for
// the outermost value.
type Path string

// Element is the path of an element of the list at p. index is its decimal
// number, from 0.
func (p Path) Element(index string) Path { return p + Path("["+index+"]") }

// Member is the path of a member of the object at p. Of a long name it has the
// beginning.
func (p Path) Member(name string) Path {
	name = shortened(name)
	if p == "" {
		return Path(name)
	}
	return p + Path("."+name)
}

// maxShown is how many bytes of a name are repeated: nobody could read more.
const maxShown = 200

func shortened(name string) string {
	if len(name) <= maxShown {
		return name
	}
	return strings.ToValidUTF8(name[:maxShown], "") + "…"
}
