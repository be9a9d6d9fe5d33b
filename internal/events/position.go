package events

// This file: where a record is in the log.

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// position names a record: where it is in the log and when it was produced. The
// topic may be deleted and made again, or moved to another cluster; then another
// record is at the same offset, with another time.
type position struct {
	topic      string
	partition  int32
	offset     int64
	producedAt time.Time // to the millisecond; zero: not known
}

func positionOf(record *kgo.Record) position {
	return position{record.Topic, record.Partition, record.Offset, record.Timestamp}
}

// withoutTime is topic/partition/offset.
func (p position) withoutTime() string {
	return fmt.Sprintf("%s/%d/%d", p.topic, p.partition, p.offset)
}

// String is topic/partition/offset/milliseconds, without the last where the time
// is not known.
func (p position) String() string {
	if p.producedAt.IsZero() {
		return p.withoutTime()
	}
	return p.withoutTime() + "/" + strconv.FormatInt(p.producedAt.UnixMilli(), 10)
}

// parsePosition reads what String writes.
func parsePosition(text string) (position, error) {
	parts := strings.Split(text, "/")
	if len(parts) != 3 && len(parts) != 4 {
		return position{}, errors.New("not topic/partition/offset/milliseconds")
	}
	partition, err := strconv.ParseInt(parts[1], 10, 32)
	if err != nil {
		return position{}, err
	}
	p := position{topic: parts[0], partition: int32(partition)}
	if p.offset, err = strconv.ParseInt(parts[2], 10, 64); err != nil {
		return position{}, err
	}
	if len(parts) == 4 {
		milliseconds, err := strconv.ParseInt(parts[3], 10, 64)
		if err != nil {
			return position{}, err
		}
		p.producedAt = time.UnixMilli(milliseconds).UTC()
	}
	return p, nil
}
