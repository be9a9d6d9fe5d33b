// The reader's own rating: giving, changing and taking it back.
import { ifMatch } from '@equipment-platform/client';
import { createRating, deleteOwnRating, replaceOwnRating, type OwnRating as Rating, type Vehicle } from '@equipment-platform/client/catalog';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { catalog } from '../app/api';
import { isUuid } from '../app/address';
import { may, useCaller } from '../app/session';
import { toast } from '../app/toast';
import { useT } from '../i18n';
import { Notice, Skeleton } from '../ui/basics';
import { formErrors } from '../ui/errors';
import { TextField } from '../ui/fields';
import { Conflict, Failure, Shown } from '../ui/states';
import { ownRatingQuery } from './data';

const route = getRouteApi('/equipment/$id');
const SCORES = [1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5];

export function OwnRating({ vehicle }: { vehicle: Vehicle }) {
  const query = useQuery(ownRatingQuery(vehicle.id));
  const caller = useCaller();
  return (
    <Shown query={query} skeleton={<Skeleton height="5rem" />}>
      {(rating) => (rating !== null ? <Given vehicle={vehicle} rating={rating} /> : may(caller, 'RATING_WRITE') && <Give vehicle={vehicle} />)}
    </Shown>
  );
}

function useRefresh(vehicle: Vehicle): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['vehicles', vehicle.id] });
}

function Give({ vehicle }: { vehicle: Vehicle }) {
  const t = useT();
  const { order } = route.useSearch();
  const [open, setOpen] = useState(order !== undefined);
  if (!open) {
    return (
      <div>
        <button type="button" className="button" onClick={() => setOpen(true)}>
          {t('rating.give')}
        </button>
      </div>
    );
  }
  return <RatingForm vehicle={vehicle} order={order ?? ''} done={() => setOpen(false)} />;
}

function Given({ vehicle, rating }: { vehicle: Vehicle; rating: Rating }) {
  const t = useT();
  const [editing, setEditing] = useState(false);
  const refresh = useRefresh(vehicle);
  const remove = useMutation({
    mutationFn: () => deleteOwnRating({ client: catalog(), path: { vehicleId: vehicle.id }, headers: ifMatch(rating) }),
    onSuccess: async () => {
      await refresh();
      toast(t('rating.removed'));
    },
  });
  if (editing) return <RatingForm key={rating.version} vehicle={vehicle} rating={rating} done={() => setEditing(false)} />;
  return (
    <div className="panel stack tight">
      <p>
        <span className="muted">{t('rating.yours')}</span> <b>{t('rating.outOf', { score: rating.score })}</b>
      </p>
      {rating.comment !== null && <p>{rating.comment}</p>}
      <div className="row">
        <button type="button" className="button small" onClick={() => setEditing(true)}>
          {t('action.edit')}
        </button>
        <button type="button" className="button small danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
          {t('action.delete')}
        </button>
      </div>
      {remove.isError && <Failure error={remove.error} />}
    </div>
  );
}

/** Creates a rating for an order, or replaces the one given. */
function RatingForm({ vehicle, rating, order = '', done }: { vehicle: Vehicle; rating?: Rating; order?: string; done: () => void }) {
  const t = useT();
  const [score, setScore] = useState(rating?.score);
  const [comment, setComment] = useState(rating?.comment ?? '');
  const [orderId, setOrderId] = useState(order);
  const [tried, setTried] = useState(false);
  const refresh = useRefresh(vehicle);
  const common = { client: catalog(), path: { vehicleId: vehicle.id } };
  const save = useMutation({
    mutationFn: async (chosen: number) => {
      const body = { score: chosen, comment: comment.trim() || null };
      if (rating === undefined) await createRating({ ...common, body: { ...body, orderId: orderId.trim() } });
      else await replaceOwnRating({ ...common, headers: ifMatch(rating), body });
    },
    onSuccess: async () => {
      await refresh();
      toast(t('rating.saved'));
      done();
    },
  });
  const failed = formErrors(save.error, t, ['score', 'comment', 'orderId'], { order_not_eligible: 'orderId', order_already_rated: 'orderId' });
  const missing: Record<string, string> = {
    ...(score === undefined && { score: t('rating.chooseScore') }),
    ...(rating === undefined && !isUuid(orderId.trim()) && { orderId: t('rating.badOrder') }),
  };
  const errors: Record<string, string> = { ...failed.fields, ...(tried && missing) };
  return (
    <form
      className="panel stack"
      noValidate
      aria-label={t('rating.give')}
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (score !== undefined && Object.keys(missing).length === 0) save.mutate(score);
      }}
    >
      <ScoreField value={score} onChange={setScore} error={errors['score']} />
      <TextField label={t('rating.comment')} value={comment} onChange={setComment} error={errors['comment']} multiline />
      {rating === undefined && (
        <TextField label={t('rating.order')} hint={t('rating.orderHint')} value={orderId} onChange={setOrderId} error={errors['orderId']} required mono />
      )}
      {failed.conflict && <Conflict reload={() => void refresh().then(done)} />}
      {failed.form !== undefined && <Notice kind="danger">{failed.form}</Notice>}
      <div className="row">
        <button type="submit" className="button primary" disabled={save.isPending}>
          {t('rating.save')}
        </button>
        <button type="button" className="button quiet" onClick={done}>
          {t('action.cancel')}
        </button>
      </div>
    </form>
  );
}

function ScoreField({ value, onChange, error }: { value: number | undefined; onChange: (score: number) => void; error: string | undefined }) {
  const t = useT();
  const id = useId();
  return (
    <fieldset className="field" aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend className="required">{t('rating.score')}</legend>
      <div className="score-choice">
        {SCORES.map((score) => (
          <label key={score}>
            <input type="radio" name={id} className="visually-hidden" checked={value === score} onChange={() => onChange(score)} />
            {t.number(score)}
          </label>
        ))}
      </div>
      {error !== undefined && (
        <span className="error" id={`${id}-error`}>
          {error}
        </span>
      )}
    </fieldset>
  );
}
