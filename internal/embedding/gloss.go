// What the lexicon can tell a language model about a machine: other names of its
// kind in both languages, and the jobs it is rented for. A small multilingual
// model knows too little of either by itself (docs/search.md has the figures).

package embedding

import (
	"cmp"
	"slices"
	"strings"
)

const (
	glossNames    = 4    // names of the machine in each language
	glossJobs     = 3    // jobs that fit best
	glossJobTerms = 4    // words for each job in each language
	glossFit      = 0.75 // how well a job must fit to be told
	glossWider    = 0.8  // a job that fits the kind of the machine
)

// glossed gives the passage with a line of names and jobs behind its headline;
// as it is when the headline names no machine that the lexicon knows.
func (l *Lexical) glossed(passage string) string {
	headline, rest, more := strings.Cut(passage, "\n")
	s, _ := l.room.Get().(*scratch)
	defer l.room.Put(s)
	l.split(s, headline, false, false)
	best, words := int32(-1), 0
	for _, m := range s.matches {
		for _, meaning := range m.meanings {
			// The title stands last and the longest name says most.
			if l.lexicon.concepts[meaning.concept].kind == machineKind && m.to-m.from >= words {
				best, words = meaning.concept, m.to-m.from
			}
		}
	}
	if best < 0 {
		return passage
	}
	gloss := headline + "\n" + l.lexicon.gloss(best)
	if more {
		gloss += "\n" + rest
	}
	return gloss
}

// gloss is the line for one kind of machine.
func (l *lexicon) gloss(machine int32) string {
	c := &l.concepts[machine]
	out := strings.Join(bilingual(c.terms, glossNames), ", ")
	type fitting struct {
		job    *concept
		weight float32
	}
	var jobs []fitting
	for i := range l.concepts {
		job := &l.concepts[i]
		var best float32
		for _, fits := range job.fitted {
			if fits.concept == machine {
				best = max(best, fits.weight)
			}
			for _, wider := range c.wider {
				if fits.concept == wider.concept {
					best = max(best, fits.weight*glossWider)
				}
			}
		}
		if best >= glossFit {
			jobs = append(jobs, fitting{job, best})
		}
	}
	slices.SortStableFunc(jobs, func(a, b fitting) int { return cmp.Compare(b.weight, a.weight) })
	var told []string
	for _, f := range jobs[:min(len(jobs), glossJobs)] {
		told = append(told, bilingual(f.job.terms, glossJobTerms)...)
	}
	if len(told) > 0 {
		out += ". For: " + strings.Join(told, ", ")
	}
	return out
}

// bilingual gives the first n English terms and the first n others.
func bilingual(terms []string, n int) []string {
	var english, other []string
	for _, term := range terms {
		if isASCII(term) {
			english = append(english, term)
		} else {
			other = append(other, term)
		}
	}
	return slices.Concat(english[:min(n, len(english))], other[:min(n, len(other))])
}
