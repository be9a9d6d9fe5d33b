// Ratings of a vehicle: how they are spread, what was written, and the reader's own.
import type { Vehicle } from '@equipment-platform/client/catalog';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNames } from '../app/people';
import { may, useCaller } from '../app/session';
import { useT } from '../i18n';
import { Skeleton } from '../ui/basics';
import { Pager } from '../ui/Pager';
import { SignInLink } from '../ui/SignInLink';
import { Shown } from '../ui/states';
import { distributionQuery, ratingsQuery } from './data';
import { OwnRating } from './OwnRating';

export function Ratings({ vehicle }: { vehicle: Vehicle }) {
  const t = useT();
  const caller = useCaller();
  const rates = caller !== undefined && caller.subject !== vehicle.ownerUserId && (may(caller, 'RATING_WRITE') || caller.roles.includes('USER'));
  return (
    <section className="stack" id="ratings">
      <h2>{t('rating.title')}</h2>
      {vehicle.ratingCount > 0 && <Distribution vehicle={vehicle} />}
      {caller === undefined && (
        <p className="muted">
          {t('rating.signInFirst')} <SignInLink />
        </p>
      )}
      {rates && <OwnRating vehicle={vehicle} />}
      <Reviews vehicle={vehicle} except={rates ? caller?.subject : undefined} />
    </section>
  );
}

function Distribution({ vehicle }: { vehicle: Vehicle }) {
  const t = useT();
  const query = useQuery(distributionQuery(vehicle.id));
  return (
    <div className="panel stack">
      <div className="row">
        <span className="score">{t.number(vehicle.ratingAvg, { minimumFractionDigits: 1, maximumFractionDigits: 2 })}</span>
        <span className="muted">{t('rating.count', { count: vehicle.ratingCount })}</span>
      </div>
      <Shown query={query} skeleton={<Skeleton height="8.6rem" />}>
        {({ stars, counted }) => (
          <>
            <ul className="distribution">
              {[5, 4, 3, 2, 1].map((star) => {
                const count = stars[star - 1] ?? 0;
                return <DistributionRow key={star} star={star} count={count} share={counted === 0 ? 0 : count / counted} />;
              })}
            </ul>
            {counted < vehicle.ratingCount && <p className="muted small">{t('rating.newest', { count: counted })}</p>}
          </>
        )}
      </Shown>
    </div>
  );
}

function DistributionRow({ star, count, share }: { star: number; count: number; share: number }) {
  const t = useT();
  return (
    <li style={{ display: 'contents' }}>
      <span className="muted">{star === 5 ? '5' : `${star}–${t.number(star + 0.5)}`}</span>
      <span className="bar" aria-hidden="true">
        <i style={{ width: `${share * 100}%` }} />
      </span>
      <span>{t.number(count)}</span>
    </li>
  );
}

/** `except`: whose rating stands above already. */
function Reviews({ vehicle, except }: { vehicle: Vehicle; except: string | undefined }) {
  const t = useT();
  const [page, setPage] = useState(1);
  const query = useQuery(ratingsQuery(vehicle.id, page));
  const nameOf = useNames(query.data?.content.map(({ authorUserId }) => authorUserId) ?? []);
  return (
    <Shown query={query} skeleton={<Skeleton height={`${Math.min(10, vehicle.ratingCount) * 5.2}rem`} />}>
      {({ content, pageSize, totalElements }) =>
        totalElements === 0 ? (
          <p className="muted">{t('rating.noneYet')}</p>
        ) : (
          <div>
            {content.filter(({ authorUserId }) => authorUserId !== except).map((rating) => (
              <article key={rating.id} className="review">
                <p className="row spread">
                  <b>{t('rating.outOf', { score: rating.score })}</b>
                  <span className="muted small">
                    {nameOf(rating.authorUserId)} · {t.date(rating.createdAt)}
                  </span>
                </p>
                {rating.comment !== null && <p>{rating.comment}</p>}
              </article>
            ))}
            <Pager page={page} size={pageSize} total={totalElements} go={setPage} />
          </div>
        )
      }
    </Shown>
  );
}
