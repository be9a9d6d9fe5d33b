// What the lexicon can tell a language model: of a machine, other names of its
// kind in both languages and the jobs it is rented for; of a query, the machines
// for its job. A small multilingual model knows too little of either by itself
// (docs/search.md has the figures).

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
	glossLines    = 2    // lines of the passage behind the headline: categories and tags
	expandNames   = 6    // machines for the job of a query
)

// glossed gives a passage with a line of names and jobs behind its headline; as
// it is when the headline names no machine that the lexicon knows. Unless it is
// to stay whole, the lines of figures are left out: the lexical part of the
// vector holds them, and the model finds better without.
func (l *Lexical) glossed(passage string, whole bool) string {
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
	if !more {
		return gloss
	}
	if lines := strings.SplitAfterN(rest, "\n", glossLines+1); !whole && len(lines) > glossLines {
		rest = strings.TrimSuffix(strings.Join(lines[:glossLines], ""), "\n")
	}
	return gloss + "\n" + rest
}

// expanded gives a query with the names of the machines that fit its jobs best;
// as it is when it names a machine itself or no job that the lexicon knows.
func (l *Lexical) expanded(query string) string {
	s, _ := l.room.Get().(*scratch)
	defer l.room.Put(s)
	s.bag = s.bag[:0]
	l.query(s, query)
	var machines []link
	for _, vote := range s.votes {
		for _, fits := range l.lexicon.concepts[vote.concept].fitted {
			if c := &l.lexicon.concepts[fits.concept]; c.kind != machineKind || len(c.terms) == 0 {
				continue
			}
			i := slices.IndexFunc(machines, func(m link) bool { return m.concept == fits.concept })
			if i < 0 {
				i, machines = len(machines), append(machines, link{concept: fits.concept})
			}
			machines[i].weight += vote.weight * fits.weight
		}
	}
	if len(machines) == 0 {
		return query
	}
	slices.SortStableFunc(machines, func(a, b link) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.concept, b.concept))
	})
	names := make([]string, 0, expandNames)
	for _, m := range machines[:min(len(machines), expandNames)] {
		names = append(names, l.lexicon.concepts[m.concept].terms[0])
	}
	return query + ": " + strings.Join(names, ", ")
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
