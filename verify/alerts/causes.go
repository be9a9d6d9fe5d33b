package main

// This file: what is done to the platform, and which alerts it has to raise.

import (
	"context"
	"errors"
	"syscall"

	"equipment-platform/verify/vectors"
)

// cause is something that goes wrong and is mended again.
type cause struct {
	how        string
	fires      []fires
	begin, end func(context.Context) error
	// beside: it takes long and keeps nothing from the others, which go on meanwhile.
	beside bool
}

// fires is an alert; where every job has its own, that of one.
type fires struct{ alert, job string }

func alerts(names ...string) (out []fires) {
	for _, name := range names {
		out = append(out, fires{alert: name})
	}
	return out
}

func (f fires) String() string {
	if f.job == "" {
		return f.alert
	}
	return f.alert + " (" + f.job + ")"
}

func of(alert string, jobs ...string) (out []fires) {
	for _, job := range jobs {
		out = append(out, fires{alert, job})
	}
	return out
}

// reject and unreject are an edit after which a vehicle's text cannot be embedded, and its end.
const (
	reject   = "UPDATE vehicles SET version = version + 1, brand_name = '" + vectors.Rejected + " ' || brand_name WHERE id = (SELECT id FROM vehicles WHERE is_active ORDER BY id LIMIT 1)"
	unreject = "UPDATE vehicles SET version = version + 1, brand_name = replace(brand_name, '" + vectors.Rejected + " ', '') WHERE brand_name LIKE '" + vectors.Rejected + "%'"
	// edit changes what some vehicles are found by.
	edit = "UPDATE vehicles SET version = version + 1, model_name = model_name || ' S' WHERE id IN (SELECT id FROM vehicles WHERE is_active ORDER BY id DESC LIMIT 5)"
)

func (p *platform) causes(watcher *prometheus) []cause {
	all := func(steps ...func(context.Context) error) func(context.Context) error {
		return func(ctx context.Context) error {
			for _, step := range steps {
				if err := step(ctx); err != nil {
					return err
				}
			}
			return nil
		}
	}
	sql := func(text string) func(context.Context) error {
		return func(ctx context.Context) error { return p.exec(ctx, text) }
	}
	return []cause{
		{
			how: "the identity host answers 500", beside: true,
			fires: append(of("KeySetFailures", "catalog", "gateway"), of("KeySetOld", "catalog", "gateway")...),
			begin: func(context.Context) error { p.noKeys.Store(true); return nil },
			end:   func(context.Context) error { p.noKeys.Store(false); return nil },
		},
		{
			how: "the embedding server rejects a text for good; then the text is mended and `indexer retry` run", beside: true,
			fires: alerts("VehiclesSetAside"),
			begin: sql(reject), end: all(sql(unreject), func(ctx context.Context) error { return p.run(ctx, "indexer", "retry") }),
		},
		{
			how: "one record that is no event", beside: true,
			fires: alerts("DeadLetters"),
			begin: func(ctx context.Context) error {
				return p.publish(ctx, p.kafka.TopicFileDeleted, []byte("not an event"), 1)
			},
			end: func(context.Context) error { return nil },
		},
		{
			how:   "nobody answers at the embedding server's address, while vehicles are edited",
			fires: alerts("SearchUnavailable", "SearchBehind", "IndexerFails"),
			begin: all(func(context.Context) error { p.vectors.Down.Store(true); return nil }, sql(edit)),
			end:   func(context.Context) error { p.vectors.Down.Store(false); return nil },
		},
		{
			how:   "somebody holds a lock on the tables of vehicles and of handled events, while callers and events come",
			fires: alerts("Overloaded", "SlowRequests", "RequestsWaitForTheirTurn", "ConnectionsExhausted", "WaitsForConnectionsGivenUp"),
			begin: all(func(ctx context.Context) error { return p.lock(ctx, "vehicles, handled_events") }, func(ctx context.Context) error { return p.order(ctx, 4*partitions) }),
			end:   p.unlock,
		},
		{
			how:   "12,000 records come while somebody holds a lock on the table of handled events",
			fires: alerts("ConsumerLag"),
			begin: all(func(ctx context.Context) error { return p.lock(ctx, "handled_events") }, func(ctx context.Context) error { return p.order(ctx, 12_000) }),
			end:   p.unlock,
		},
		{
			how:   "the provider stands still (SIGSTOP)",
			fires: alerts("UpstreamCircuitOpen", "UpstreamErrors"),
			begin: func(context.Context) error { return p.signal("sandbox", syscall.SIGSTOP) },
			end:   func(context.Context) error { return p.signal("sandbox", syscall.SIGCONT) },
		},
		{
			how:   "the replica is stopped",
			fires: alerts("ReplicaNotRead"),
			begin: func(ctx context.Context) error { return p.replica.Stop(ctx) },
			end: func(ctx context.Context) (err error) {
				p.replica, err = restart(ctx, p.replica)
				return err
			},
		},
		{
			how:   "the database is stopped, replica and all, while events come",
			fires: append(of("ServerErrors", "catalog"), alerts("EventsTriedAgainAndAgain", "IndexerFails")...),
			begin: func(ctx context.Context) error {
				return errors.Join(p.locks.Close(ctx), p.replica.Stop(ctx), p.primary.Stop(ctx), p.order(ctx, partitions))
			},
			end: func(ctx context.Context) (err error) {
				if p.primary, err = restart(ctx, p.primary); err != nil {
					return err
				}
				p.replica, err = restart(ctx, p.replica)
				return err
			},
		},
		{
			how:   "every program is killed",
			fires: append(of("ProcessDown", jobs...), alerts("EventsNotConsumed")...),
			begin: func(context.Context) error {
				for _, job := range jobs {
					p.programs[job].Kill()
				}
				return nil
			},
			end: func(ctx context.Context) error { return p.launch(ctx, jobs...) },
		},
		{
			how:   "no target is found any more",
			fires: alerts("CatalogGone", "GatewayGone", "IndexerGone", "EventsNotConsumed"),
			begin: func(context.Context) error {
				for _, job := range jobs {
					if err := watcher.target(job, ""); err != nil {
						return err
					}
				}
				return nil
			},
			end: func(context.Context) error { return p.scrape(watcher) },
		},
	}
}

// scrape shows all programs to Prometheus.
func (p *platform) scrape(watcher *prometheus) error {
	for _, job := range jobs {
		if err := watcher.target(job, p.admin[job]); err != nil {
			return err
		}
	}
	return nil
}
