// Linked files in their order: dragged, or moved by buttons and arrow keys.
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { ApiError, ifMatch } from '@equipment-platform/client';
import { deleteVehicleDoc, deleteVehiclePhoto, listVehicleDocs, listVehiclePhotos, updateVehicleDoc, updateVehiclePhoto, type VehicleLink } from '@equipment-platform/client/catalog';
import { deleteFile, type StoredFile, updateFile } from '@equipment-platform/client/files';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { catalog, readAgain } from '../app/api';
import { fileUrl, hasFiles } from '../app/files';
import { fileService } from '../app/filesClient';
import { toast } from '../app/toast';
import { useT } from '../i18n';
import { Photo, Visibility } from '../ui/basics';
import { ConfirmDialog } from '../ui/ConfirmDialog';
import { TextField } from '../ui/fields';
import { Sign } from '../ui/icons';
import type { Machine } from '../ui/machines';
import { MoveButtons, useOrder } from '../ui/ordering';
import { Failure } from '../ui/states';
import type { LinkKind } from './uploads';

const CALLS = {
  photos: { list: listVehiclePhotos, update: updateVehiclePhoto, remove: deleteVehiclePhoto },
  docs: { list: listVehicleDocs, update: updateVehicleDoc, remove: deleteVehicleDoc },
};

interface Props {
  kind: LinkKind;
  links: readonly VehicleLink[];
  described: Readonly<Record<string, StoredFile>>;
  machine: Machine;
  order: (links: VehicleLink[]) => void;
}

export function FileTiles({ links, order, ...rest }: Props) {
  const [move, said] = useOrder(links, order);
  return (
    <>
      {said}
      <ol className="tiles">
        {links.map((link, index) => (
          <Tile key={link.id} {...rest} link={link} index={index} last={links.length - 1} move={move} />
        ))}
      </ol>
    </>
  );
}

interface TileProps extends Omit<Props, 'links' | 'order'> {
  link: VehicleLink;
  index: number;
  last: number;
  move: (from: number, to: number) => void;
}

function Tile({ kind, link, described, machine, index, last, move }: TileProps) {
  const t = useT();
  const element = useRef<HTMLLIElement>(null);
  const over = useDragging(element, index, kind, move);
  const file = described[link.fileId];
  const name = file?.fileName || t('gallery.picture', { number: index + 1 });
  return (
    <li ref={element} className={over ? 'tile over' : 'tile'}>
      {file?.contentType === 'application/pdf' ? (
        <a href={fileUrl(link.fileId)} target="_blank" rel="noopener" draggable={false} className="photo" aria-label={name}>
          <Sign name="file" size={40} />
        </a>
      ) : (
        <Photo machine={machine} fileId={link.fileId} sizes="16rem" alt={file?.description ?? ''}>
          {kind === 'photos' && index === 0 && <span className="badge accent">{t('files.lead1')}</span>}
        </Photo>
      )}
      <div className="body">
        <div className="row spread">
          <span className="one-line small" title={name}>
            <span>{name}</span>
          </span>
          {!link.isActive && <Visibility active={false} />}
        </div>
        {kind === 'photos' && file !== undefined && <Description file={file} name={name} />}
        <div className="row">
          <MoveButtons index={index} last={last} name={name} move={move} signs={['left', 'right']} />
          <Actions kind={kind} link={link} name={name} />
        </div>
      </div>
    </li>
  );
}

/** Lets a tile be dragged onto another one; says whether one is held over it. */
function useDragging(element: React.RefObject<HTMLLIElement | null>, index: number, kind: LinkKind, move: (from: number, to: number) => void): boolean {
  const [over, setOver] = useState(false);
  const moving = useRef(move);
  moving.current = move;
  useEffect(() => {
    if (element.current === null) return;
    const endDrag = draggable({ element: element.current, getInitialData: () => ({ index, kind }) });
    const endDrop = dropTargetForElements({
      element: element.current,
      canDrop: ({ source }) => source.data['kind'] === kind && source.data['index'] !== index,
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: ({ source }) => {
        setOver(false);
        moving.current(Number(source.data['index']), index);
      },
    });
    return () => {
      endDrag();
      endDrop();
    };
  }, [element, index, kind]);
  return over;
}

function Description({ file, name }: { file: StoredFile; name: string }) {
  const t = useT();
  const [text, setText] = useState(file.description);
  const save = useMutation({
    // handed over: of what this function itself sees, the last letters may be missing
    mutationFn: (description: string) => updateFile({ client: fileService(), path: { id: file.id }, body: { description } }),
    onSuccess: () => toast(t('files.described', { name })),
    onSettled: () => readAgain(['files']),
  });
  return (
    <div onBlur={() => text.trim() !== file.description && save.mutate(text.trim())}>
      <TextField label={t('files.alt')} value={text} onChange={setText} maxLength={300} {...(save.isError && { error: t('files.notDescribed') })} />
    </div>
  );
}

function Actions({ kind, link, name }: { kind: LinkKind; link: VehicleLink; name: string }) {
  const t = useT();
  const [asking, setAsking] = useState(false);
  const common = { client: catalog(), path: { vehicleId: link.vehicleId, id: link.id }, headers: ifMatch(link) };
  const mutation = useMutation({
    mutationFn: async (what: 'toggle' | 'delete') => {
      if (what === 'toggle') return void (await CALLS[kind].update({ ...common, body: { isActive: !link.isActive } }));
      if (!hasFiles()) return void (await CALLS[kind].remove(common));
      try {
        await deleteFile({ client: fileService(), path: { id: link.fileId } });
      } catch (error) {
        // Not the caller's, or gone already: then only this machine lets go of it.
        if (!(error instanceof ApiError && (error.status === 403 || error.status === 404))) throw error;
        return void (await CALLS[kind].remove(common));
      }
      await unlinked(link, kind);
    },
    onSettled: (_, error) => {
      if (error === null) setAsking(false);
      return readAgain(['vehicles']);
    },
  });
  return (
    <>
      <button type="button" className="button small" disabled={mutation.isPending} onClick={() => mutation.mutate('toggle')}>
        {t(link.isActive ? 'action.hide' : 'action.show')}
      </button>
      <button type="button" className="button small danger" aria-label={t('manage.delete', { name })} onClick={() => setAsking(true)}>
        {t('action.delete')}
      </button>
      {mutation.isError && !asking && <Failure error={mutation.error} />}
      {asking && (
        <ConfirmDialog
          title={t(kind === 'photos' ? 'files.deletePhoto' : 'files.deleteDoc')}
          text={t(hasFiles() ? 'files.deleteText' : 'files.unlinkText')}
          error={mutation.error}
          busy={mutation.isPending}
          confirm={() => mutation.mutate('delete')}
          close={() => {
            mutation.reset();
            setAsking(false);
          }}
        />
      )}
    </>
  );
}

const PATIENCE = 20;

/** The catalogue hears of a deleted file by an event: waits until it has let go of it. */
async function unlinked(link: VehicleLink, kind: LinkKind): Promise<void> {
  const list = CALLS[kind].list;
  for (let tries = 0; tries < PATIENCE; tries++) {
    const { data } = await list({ client: catalog(), path: { vehicleId: link.vehicleId } });
    if (!data.some(({ id }) => id === link.id)) return;
    await new Promise((done) => setTimeout(done, 300));
  }
}
