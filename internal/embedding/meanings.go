// What the terms of the lexicon mean for a query and for a passage, and how much
// each meaning weighs.

package embedding

import "math"

const (
	traitWeight  = 0.55
	jobWeight    = 0.6
	brandWeight  = 1.0
	widerWeight  = 0.6  // a kind, where a narrower one is meant
	fittedWeight = 0.75 // machines for a job
	fittedBeside = 0.3  // the same where the query names a machine itself
	// A job of several words is surer to be what the machine is wanted for.
	fittedBesideLong = 0.7
	singleWeight     = 0.65 // a job by one word: "bridge" is a part of many jobs
	apartWeight      = 0.4  // a job by one word that is part of another job's two
)

// loadReach is how many words before a machine a verb that moves it is looked for.
const loadReach = 3

// meanings adds the concepts of the terms found, what they are kinds of, and for
// a query the machines that fit its jobs.
func (l *Lexical) meanings(s *scratch, weight float32, query bool) {
	named, load := false, -1
	if query {
		named = l.namesMachine(s.matches)
		load = l.addTransport(s)
		s.apart = l.lexicon.findApart(s.words, s.apart[:0])
		for _, m := range s.apart {
			l.addConcept(s, m.meanings[0].concept, m.meanings[0].weight*sureness(s.words[m.from:m.to]), true, named, 2)
		}
	}
	for n, m := range s.matches {
		if n == load {
			continue
		}
		// A term with several meanings is not several times as telling.
		shared := weight * sureness(s.words[m.from:m.to]) / float32(math.Sqrt(float64(len(m.meanings))))
		if m.to-m.from == 1 && s.words[m.from].apart {
			shared *= apartWeight
		}
		for _, meaning := range m.meanings {
			likely := shared * meaning.weight
			if query && m.to-m.from == 1 && l.lexicon.concepts[meaning.concept].kind == jobKind {
				likely *= singleWeight
			}
			l.addConcept(s, meaning.concept, likely, query, named, m.to-m.from)
		}
	}
}

// sureness is how likely the words are what the speller took them for.
func sureness(words []token) float32 {
	sure := float32(1)
	for _, t := range words {
		if t.sure > 0 {
			sure *= t.sure
		}
	}
	return sure
}

// addConcept adds one concept, found in that many words, with what follows from
// it.
func (l *Lexical) addConcept(s *scratch, id int32, weight float32, query, named bool, words int) {
	c := &l.lexicon.concepts[id]
	own := weight * kindWeight(c.kind)
	s.concepts.add(c.key, own)
	for _, wider := range c.wider {
		s.concepts.add(l.lexicon.concepts[wider.concept].key, own*wider.weight*widerWeight)
	}
	if !query {
		return
	}
	fit := weight * fittedWeight
	switch {
	case named && words > 1:
		fit *= fittedBesideLong
	case named:
		fit *= fittedBeside
	}
	for _, machine := range c.fitted {
		s.concepts.add(l.lexicon.concepts[machine.concept].key, fit*machine.weight)
	}
}

// namesMachine reports whether the query asks for a machine by its name.
func (l *Lexical) namesMachine(matches []match) bool {
	for _, m := range matches {
		for _, meaning := range m.meanings {
			if l.lexicon.concepts[meaning.concept].kind == machineKind && meaning.weight >= 0.5 {
				return true
			}
		}
	}
	return false
}

// addTransport looks for "move a 40-tonne excavator": the machine is the load, and
// what is wanted is what moves it, and carries so much. It adds that meaning and
// gives the position of the machine among the matches, or -1.
func (l *Lexical) addTransport(s *scratch) int {
	for n, m := range s.matches {
		if !l.namesMachine(s.matches[n : n+1]) {
			continue
		}
		for i, reach := m.from-1, loadReach; i >= 0 && reach > 0; i-- {
			if s.words[i].taken {
				continue // "move a 40-tonne excavator"
			}
			reach--
			if verb, ok := l.lexicon.transport[s.words[i].stem]; ok {
				l.addConcept(s, verb.concept, verb.weight, true, false, 2)
				for k := range s.amounts {
					s.amounts[k].high = math.Inf(1)
				}
				s.load, s.words[i].term = true, n+1
				return n
			}
		}
	}
	return -1
}

func kindWeight(k kind) float32 {
	switch k {
	case traitKind:
		return traitWeight
	case jobKind:
		return jobWeight
	case brandKind:
		return brandWeight
	default:
		return 1
	}
}
