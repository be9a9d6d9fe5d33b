// The pictures of a machine: side by side to swipe or to turn, small ones to choose from, and one in full.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { SIZES } from '../app/files';
import { describedQuery } from '../app/filesClient';
import { useT } from '../i18n';
import { Dialog, Photo } from '../ui/basics';
import { Sign } from '../ui/icons';
import type { Machine } from '../ui/machines';

interface Props {
  name: string;
  files: readonly string[];
  machine: Machine;
}

export function Gallery({ name, files, machine }: Props) {
  const t = useT();
  const [full, setFull] = useState<number>();
  const described = useQuery(describedQuery(files)).data ?? {};
  const alts = files.map((id, index) => t('gallery.alt', { name, what: t.called(described[id]?.description || t('gallery.picture', { number: index + 1 })) }));
  if (files.length === 0) {
    return (
      <div className="slides">
        <Photo machine={machine} />
      </div>
    );
  }
  return (
    <section className="gallery" aria-label={t('vehicle.photos')}>
      <Slides files={files} alts={alts} machine={machine} open={setFull} thumbs />
      {full !== undefined && (
        <Dialog title={name} onClose={() => setFull(undefined)} className="viewer">
          <Slides files={files} alts={alts} machine={machine} start={full} />
          <div>
            <button type="button" className="button" onClick={() => setFull(undefined)}>
              {t('action.close')}
            </button>
          </div>
        </Dialog>
      )}
    </section>
  );
}

interface SlidesProps {
  files: readonly string[];
  alts: readonly string[];
  machine: Machine;
  start?: number;
  open?: (index: number) => void;
  thumbs?: boolean;
}

function Slides({ files, alts, machine, start = 0, open, thumbs = false }: SlidesProps) {
  const t = useT();
  const [shown, setShown] = useState(start);
  const [rest, setRest] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const last = files.length - 1;
  const place = useRef(start);
  place.current = shown;
  // A dialog that opens, a phone that is turned: the same picture stays in sight.
  useEffect(() => {
    const element = list.current;
    if (element === null) return;
    let width = -1;
    const observer = new ResizeObserver(() => {
      if (element.clientWidth === width) return;
      width = element.clientWidth;
      element.scrollTo({ left: place.current * width });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const go = (index: number) => {
    const to = Math.min(last, Math.max(0, index));
    setShown(to);
    list.current?.scrollTo({ left: to * list.current.clientWidth });
  };
  return (
    <>
      <div
        className="stage"
        onKeyDown={(event) => {
          if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
          event.preventDefault();
          go(shown + (event.key === 'ArrowRight' ? 1 : -1));
        }}
      >
        <ul
          className="slides"
          ref={list}
          onScroll={({ currentTarget: { scrollLeft, clientWidth } }) => setShown(Math.round(scrollLeft / Math.max(1, clientWidth)))}
        >
          {files.map((fileId, index) => {
            const sizes = open === undefined ? '100vw' : SIZES.gallery;
            // The others come when the first is there.
            const photo =
              index === shown || rest ? (
                <Photo machine={machine} fileId={fileId} alt={alts[index] ?? ''} eager={index === start} sizes={sizes} onSettled={() => setRest(true)} />
              ) : (
                <div className="photo unseen" />
              );
            return (
              // Out of sight is out of reach: the keyboard turns instead.
              <li key={fileId} inert={index !== shown}>
                {open === undefined ? (
                  photo
                ) : (
                  <button type="button" aria-label={t('gallery.open', { what: alts[index] ?? '' })} onClick={() => open(index)}>
                    {photo}
                  </button>
                )}
              </li>
            );
          })}
        </ul>
        {last > 0 && (
          <>
            <button type="button" className="button icon previous" aria-label={t('gallery.previous')} disabled={shown === 0} onClick={() => go(shown - 1)}>
              <Sign name="left" />
            </button>
            <button type="button" className="button icon next" aria-label={t('gallery.next')} disabled={shown === last} onClick={() => go(shown + 1)}>
              <Sign name="right" />
            </button>
            <span className="badge position" role="status">
              {t('gallery.position', { number: shown + 1, of: files.length })}
            </span>
          </>
        )}
      </div>
      {thumbs && last > 0 && (
        <ul className="thumbs">
          {files.map((fileId, index) => (
            <li key={fileId}>
              <button type="button" aria-current={index === shown} aria-label={t('gallery.show', { what: alts[index] ?? '' })} onClick={() => go(index)}>
                <Photo machine={machine} fileId={fileId} sizes="6rem" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
