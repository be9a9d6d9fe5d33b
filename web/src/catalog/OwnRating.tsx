// The reader's own rating: giving, changing and taking it back.
import { ifMatch } from '@equipment-platform/client';
import { createRating, deleteOwnRating, getOwnRating, replaceOwnRating, type OwnRating as Rating, type RateableOrder, type Vehicle } from '@equipment-platform/client/catalog';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { catalog, readAgain } from '../app/api';
import { readDraft } from '../app/drafts';
import { may, useCaller } from '../app/session';
import { toast } from '../app/toast';
import { useT } from '../i18n';
import { Skeleton } from '../ui/basics';
import { ConfirmDialog } from '../ui/ConfirmDialog';
import { ConflictDialog, type Line } from '../ui/ConflictDialog';
import { formErrors } from '../ui/errors';
import { SelectField, SubmitButton, TextField } from '../ui/fields';
import { Form, FormFailure, useForm, type Work } from '../ui/form';
import { Shown } from '../ui/states';
import { DISTRIBUTION_LIMIT, distributionQuery, ownRatingQuery, rateableOrdersQuery } from './data';

const route = getRouteApi('/equipment/$id');
const SCORES = [1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5];

export function OwnRating({ vehicle }: { vehicle: Vehicle }) {
  const caller = useCaller();
  const all = useQuery(distributionQuery(vehicle.id));
  // It is asked for only where it may be there: the ratings say who gave them, as far as they are counted.
  const rated = all.data !== undefined && (all.data.authors.includes(caller?.subject ?? '') || all.data.counted === DISTRIBUTION_LIMIT);
  const query = useQuery({ ...ownRatingQuery(vehicle.id), enabled: rated });
  const give = may(caller, 'RATING_WRITE') && <Give vehicle={vehicle} />;
  const skeleton = <Skeleton height="5rem" />;
  return (
    <Shown query={all} skeleton={skeleton}>
      {() =>
        rated ? (
          <Shown query={query} skeleton={skeleton}>
            {(rating) => (rating !== null ? <Given vehicle={vehicle} rating={rating} /> : give)}
          </Shown>
        ) : (
          give
        )
      }
    </Shown>
  );
}

/** Who has a finished order that was not rated may rate; others are told what it takes. */
function Give({ vehicle }: { vehicle: Vehicle }) {
  const query = useQuery(rateableOrdersQuery(vehicle.id));
  return (
    <Shown query={query} skeleton={<Skeleton height="2.5rem" />}>
      {(orders) => <GiveFor vehicle={vehicle} orders={orders} />}
    </Shown>
  );
}

function GiveFor({ vehicle, orders }: { vehicle: Vehicle; orders: readonly RateableOrder[] }) {
  const t = useT();
  const { order } = route.useSearch();
  const navigate = route.useNavigate();
  const [open, setOpen] = useState(order !== undefined || readDraft(formName(vehicle)) !== undefined);
  // A link with an order leads here once.
  const done = () => {
    setOpen(false);
    if (order !== undefined) void navigate({ search: {}, replace: true, resetScroll: false });
  };
  if (orders.length === 0) return <p className="muted">{t('rating.noOrder')}</p>;
  if (!open) {
    return (
      <div>
        <button type="button" className="button" onClick={() => setOpen(true)}>
          {t('rating.give')}
        </button>
      </div>
    );
  }
  // A link names the order; else it is the newest.
  const first = orders.find(({ orderId }) => orderId === order) ?? orders[0];
  return <RatingForm vehicle={vehicle} orders={orders} order={first?.orderId ?? ''} done={done} />;
}

function Given({ vehicle, rating }: { vehicle: Vehicle; rating: Rating }) {
  const t = useT();
  const [editing, setEditing] = useState(readDraft(formName(vehicle)) !== undefined);
  const [asking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => deleteOwnRating({ client: catalog(), path: { vehicleId: vehicle.id }, headers: ifMatch(rating) }),
    onSuccess: async () => {
      await readAgain(['vehicles', vehicle.id]);
      toast(t('rating.removed'));
    },
  });
  const close = () => {
    remove.reset();
    setAsking(false);
  };
  if (editing) return <RatingForm vehicle={vehicle} rating={rating} done={() => setEditing(false)} />;
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
        <button type="button" className="button small danger" onClick={() => setAsking(true)}>
          {t('action.delete')}
        </button>
      </div>
      {asking && (
        <ConfirmDialog
          title={t('rating.deleteTitle')}
          text={t('rating.deleteText')}
          error={remove.error}
          busy={remove.isPending}
          confirm={() => remove.mutate()}
          close={close}
          reload={() => {
            close();
            void readAgain(['vehicles', vehicle.id]);
          }}
        />
      )}
    </div>
  );
}

const formName = (vehicle: Vehicle): string => `rating/${vehicle.id}`;

interface Draft {
  score: number | null;
  comment: string;
  orderId: string;
}

const draftOf = (rating: Rating | undefined, order = ''): Draft => ({ score: rating?.score ?? null, comment: rating?.comment ?? '', orderId: order });

/** Creates a rating for an order, or replaces the one given. */
function RatingForm({ vehicle, rating, orders = [], order = '', done }: { vehicle: Vehicle; rating?: Rating; orders?: readonly RateableOrder[]; order?: string; done: () => void }) {
  const t = useT();
  const form = useForm(formName(vehicle), draftOf(rating, order), rating?.version);
  const { draft, change } = form;
  const [tried, setTried] = useState(false);
  const common = { client: catalog(), path: { vehicleId: vehicle.id } };
  const save = useMutation({
    mutationFn: async ({ draft, version = 0 }: Work<Draft>) => {
      const body = { score: draft.score ?? 0, comment: draft.comment.trim() || null };
      if (rating === undefined) await createRating({ ...common, body: { ...body, orderId: draft.orderId } });
      else await replaceOwnRating({ ...common, headers: ifMatch(version), body });
    },
    onSuccess: async () => {
      form.saved();
      await readAgain(['vehicles', vehicle.id]);
      toast(t('rating.saved'));
      done();
    },
  });
  const failed = formErrors(save.error, t, ['score', 'comment', 'orderId'], { order_not_eligible: 'orderId', order_already_rated: 'orderId' });
  const missing: Record<string, string> = {
    ...(draft.score === null && { score: t('rating.chooseScore') }),
    // one of a draft may have been used meanwhile
    ...(rating === undefined && !orders.some(({ orderId }) => orderId === draft.orderId) && { orderId: t('rating.chooseOrder') }),
  };
  const errors: Record<string, string> = { ...failed.fields, ...(tried && missing) };
  const orderName = ({ orderId, status, eventTimestamp }: RateableOrder) =>
    t('rating.orderName', { when: t.date(eventTimestamp), status: t.maybe(`order.${status.toLowerCase()}`) ?? status, id: orderId.slice(0, 8) });
  const lines = (draft: Draft): Line[] => [
    { name: t('rating.score'), text: draft.score === null ? '' : t.number(draft.score) },
    { name: t('rating.comment'), text: draft.comment },
  ];
  const read = async () => {
    const { data } = await getOwnRating(common);
    return { draft: draftOf(data, order), version: data.version };
  };
  return (
    <>
      <Form
        className="panel stack"
        label={t('rating.give')}
        form={form}
        errors={errors}
        busy={save.isPending}
        submit={() => {
          setTried(true);
          if (Object.keys(missing).length === 0) save.mutate(form);
        }}
      >
        <ScoreField value={draft.score} onChange={(score) => change({ score })} error={errors['score']} />
        <TextField label={t('rating.comment')} value={draft.comment} onChange={(comment) => change({ comment })} error={errors['comment']} multiline />
        {rating === undefined && (
          <SelectField
            label={t('rating.order')}
            hint={t('rating.orderHint')}
            value={draft.orderId}
            options={orders.map((one) => ({ value: one.orderId, label: orderName(one) }))}
            onChange={(orderId) => change({ orderId })}
            error={errors['orderId']}
            required
          />
        )}
        <FormFailure failed={failed} />
        <div className="row">
          <SubmitButton>{t('rating.save')}</SubmitButton>
          <button
            type="button"
            className="button quiet"
            onClick={() => {
              form.discard();
              done();
            }}
          >
            {t('action.cancel')}
          </button>
        </div>
      </Form>
      {rating !== undefined && <ConflictDialog error={save.error} form={form} read={read} lines={lines} save={save.mutate} reset={save.reset} />}
    </>
  );
}

function ScoreField({ value, onChange, error }: { value: number | null; onChange: (score: number) => void; error: string | undefined }) {
  const t = useT();
  const id = useId();
  return (
    <fieldset className="field" data-invalid={error === undefined ? undefined : true} aria-describedby={error === undefined ? undefined : `${id}-error`}>
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
