import { useId, useState } from 'preact/hooks';
import type { OwnedThing } from '../../api/rest_types';
import { useLocale } from '../../i18n/language_context';
import { type Store, useStore } from '../../platform/store';
import { nameIn } from '../../state/chat_people';
import { type NameState, nameOfMember } from './member_names';
import { SharingPanel } from './sharing_panel';
import { sharingTexts } from './sharing_texts';
import { type Sharing, type SharingChange, useSharing } from './use_sharing';
import './sharing.css';

interface SharingProps {
  thing: OwnedThing;
  /** Names the thing to screen readers. */
  name: string;
  store: Store<NameState>;
  /** Rejects with a RequestError. */
  onShare: (change: SharingChange) => Promise<void>;
}

/** Returns true when this person may not change the thing. A thing without an owner belongs to the tenant. */
export const isReadOnly = ({ owner }: OwnedThing, { me }: Pick<NameState, 'me'>): boolean => owner !== undefined && owner !== me?.keyName;

/** Says whose thing it is and who sees it. The owner changes who does; an admin hides it from others. Shows nothing for a thing of the tenant. */
export function SharingPart(props: SharingProps) {
  const { thing, store, onShare } = props;
  const sharing = useSharing(onShare);
  const isOthers = useStore(store, state => isReadOnly(thing, state));
  if (thing.owner === undefined) return null;
  return (
    <div class="sharing" data-testid="sharing" data-visibility={thing.visibility}>
      {isOthers ? <OfOther {...props} sharing={sharing} /> : <Own {...props} sharing={sharing} />}
      {sharing.problem !== undefined && (
        <p class="form-error" role="alert" data-testid="sharing-problem">
          {sharing.problem}
        </p>
      )}
    </div>
  );
}

type PartProps = SharingProps & { sharing: Sharing };

function Own({ thing, name, store, sharing }: PartProps) {
  const locale = useLocale();
  const texts = sharingTexts[locale];
  const panelId = useId();
  const [isOpen, setOpen] = useState(false);
  const { visibility = 'private', sharedWith = [] } = thing;
  const names = useStore(store, state => sharedWith.map(member => nameOfMember(state, member, locale)).join(', '));
  return (
    <>
      <span class="tag" title={visibility === 'shared' ? names : undefined} data-testid="seen-by">
        {texts.seenBy[visibility]}
      </span>
      <button
        type="button"
        class="link-button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelId : undefined}
        aria-label={texts.changeOf(name)}
        data-testid="open-sharing"
        onClick={() => setOpen(!isOpen)}
      >
        {texts.change}
      </button>
      {isOpen && <SharingPanel id={panelId} visibility={visibility} sharedWith={sharedWith} store={store} sharing={sharing} />}
    </>
  );
}

function OfOther({ thing: { owner = '', visibility }, store, sharing }: PartProps) {
  const texts = sharingTexts[useLocale()];
  const ownerName = useStore(store, state => nameIn(state, owner));
  const isAdmin = useStore(store, ({ me }) => me?.scopes.includes('admin') === true);
  return (
    <>
      <span class="tag" data-testid="belongs-to">
        {texts.belongsTo(ownerName)}
      </span>
      {isAdmin && visibility !== 'private' && (
        <button
          type="button"
          class="link-button"
          disabled={sharing.isBusy}
          title={texts.hideTitle(ownerName)}
          data-testid="hide-from-others"
          onClick={() => void sharing.share({ visibility: 'private' })}
        >
          {texts.hide}
        </button>
      )}
    </>
  );
}
