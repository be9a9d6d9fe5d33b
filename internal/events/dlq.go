package events

// This file: the work of `catalog dlq` and what it prints.

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// List writes what is on a dead-letter topic, which may be named by the topic it
// belongs to as well; empty: on all of them.
func (d *DeadLetters) List(ctx context.Context, topic string, out io.Writer) error {
	topics := d.Topics()
	if topic != "" {
		_, deadLetterTopic, err := d.Source(topic)
		if err != nil {
			return err
		}
		topics = []string{deadLetterTopic}
	}
	for _, topic := range topics {
		if err := d.listTopic(ctx, topic, out); err != nil {
			return err
		}
	}
	return nil
}

func (d *DeadLetters) listTopic(ctx context.Context, topic string, out io.Writer) error {
	table := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	count := 0
	err := d.Read(ctx, topic, func(letter Letter) error {
		if count == 0 {
			fmt.Fprintf(table, "%s\nOFFSET\tFAILED AT\tFROM\tKEY\tERROR\tVALUE\n", topic)
		}
		count++
		failedAt := "-"
		if !letter.FailedAt.IsZero() {
			failedAt = letter.FailedAt.Format(time.DateTime)
		}
		_, err := fmt.Fprintf(table, "%d/%d\t%s\t%s\t%s\t%s\t%s\n", letter.Partition, letter.Offset, failedAt,
			printable([]byte(letter.From()), 300), printable(letter.Key, 40), printable([]byte(letter.Error), 200), printable(letter.Value, 120))
		return err
	})
	if flushed := table.Flush(); err == nil {
		err = flushed
	}
	fmt.Fprintf(out, "%s: %d records\n", topic, count)
	return err
}

// Replay puts letters of a dead-letter topic, which may be named by the topic it
// belongs to as well, back on the topic that they came from, and writes what it
// did. offsets name them as List shows them, [PARTITION/]OFFSET; none: all, of a
// record that came back several times only the last letter. It reads the whole
// topic before it puts anything back: an unclear or missing offset stops it with
// nothing done. Replaying a record twice has one effect. Letters stay where they
// are.
func (d *DeadLetters) Replay(ctx context.Context, topic string, offsets []string, out io.Writer) error {
	source, deadLetterTopic, err := d.Source(topic)
	if err != nil {
		return err
	}
	wanted := make([]address, len(offsets))
	for i, text := range offsets {
		if wanted[i], err = parseAddress(text); err != nil {
			return err
		}
	}
	var chosen []Letter
	newest := map[string]int{}
	found := make([]int, len(wanted))
	err = d.Read(ctx, deadLetterTopic, func(letter Letter) error {
		take := len(wanted) == 0
		for i, one := range wanted {
			if one.matches(letter) {
				found[i]++
				take = true
			}
		}
		if !take {
			return nil
		}
		if origin := letter.origin(); len(wanted) == 0 && origin != "" {
			// letters stay: replaying those of earlier replays too would double what is still poison each time
			if earlier, is := newest[origin]; is {
				if letter.FailedAt.After(chosen[earlier].FailedAt) {
					chosen[earlier] = letter
				}
				return nil
			}
			newest[origin] = len(chosen)
		}
		chosen = append(chosen, letter)
		return nil
	})
	if err != nil {
		return err
	}
	for i, one := range wanted {
		switch {
		case found[i] == 0:
			return fmt.Errorf("nothing at offset %s of %s; nothing was replayed", one, deadLetterTopic)
		case found[i] > 1:
			return fmt.Errorf("offset %s is in %d partitions of %s: say PARTITION/OFFSET; nothing was replayed", one, found[i], deadLetterTopic)
		}
	}
	refused := 0
	for _, letter := range chosen {
		err := d.putBack(ctx, source, letter)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			refused++
			fmt.Fprintf(out, "%d/%d not replayed: %v\n", letter.Partition, letter.Offset, err)
			continue
		}
		fmt.Fprintf(out, "%d/%d replayed to %s/%d\n", letter.Partition, letter.Offset, source, letter.original.partition)
	}
	fmt.Fprintf(out, "%d records replayed, %d not\n", len(chosen)-refused, refused)
	if refused > 0 {
		return fmt.Errorf("%d records could not be replayed", refused)
	}
	return nil
}

// address names a record of a topic; partition -1 leaves it open.
type address struct {
	partition int32
	offset    int64
}

func parseAddress(text string) (address, error) {
	one := address{partition: -1}
	before, after, both := strings.Cut(text, "/")
	if both {
		partition, err := strconv.ParseUint(before, 10, 31)
		if err != nil {
			return one, fmt.Errorf("%q is not PARTITION/OFFSET", text)
		}
		one.partition, before = int32(partition), after
	}
	offset, err := strconv.ParseUint(before, 10, 63)
	if err != nil {
		return one, fmt.Errorf("%q is not an offset", text)
	}
	one.offset = int64(offset)
	return one, nil
}

func (a address) matches(letter Letter) bool {
	return a.offset == letter.Offset && (a.partition < 0 || a.partition == letter.Partition)
}

// String writes the address as it is read.
func (a address) String() string {
	if a.partition < 0 {
		return strconv.FormatInt(a.offset, 10)
	}
	return fmt.Sprintf("%d/%d", a.partition, a.offset)
}

// printable shows bytes in one line of a terminal: what could move the cursor or
// break the table is escaped.
func printable(data []byte, limit int) string {
	if data == nil {
		return "null"
	}
	cut := ""
	if len(data) > limit {
		data, cut = data[:limit], "…"
	}
	quoted := strconv.Quote(string(data))
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`) + cut
}
