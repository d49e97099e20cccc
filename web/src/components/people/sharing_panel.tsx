import type { Visibility } from '../../api/rest_types';
import { useLocale } from '../../i18n/language_context';
import { type Store, useStore } from '../../platform/store';
import { Icon } from '../basic/icon';
import { type NameState, nameOfMember } from './member_names';
import { PersonForm } from './person_form';
import { sharingTexts } from './sharing_texts';
import type { Sharing } from './use_sharing';
import { VisibilitySelect } from './visibility_select';

interface SharingPanelProps {
  id: string;
  visibility: Visibility;
  /** Handles, roles, and groups as `group:<name>`. */
  sharedWith: readonly string[];
  store: Store<NameState>;
  sharing: Sharing;
}

/** The owner chooses who sees a thing, and names the people with whom it is shared. */
export function SharingPanel({ id, visibility, sharedWith, store, sharing }: SharingPanelProps) {
  const texts = sharingTexts[useLocale()];
  return (
    <div id={id} class="sharing-panel" data-testid="sharing-panel">
      <VisibilitySelect
        label={texts.whoSees}
        value={visibility}
        names={texts.visibilities}
        isBusy={sharing.isBusy}
        testId="thing-visibility"
        onChange={next => void sharing.share({ visibility: next })}
      />
      {visibility !== 'private' && <p class="field-hint">{texts.onlyRead}</p>}
      {visibility === 'shared' && (
        <>
          <Members sharedWith={sharedWith} store={store} sharing={sharing} />
          <AddMember sharedWith={sharedWith} store={store} sharing={sharing} />
        </>
      )}
    </div>
  );
}

type MemberProps = Pick<SharingPanelProps, 'sharedWith' | 'store' | 'sharing'>;

function Members({ sharedWith, store, sharing }: MemberProps) {
  const locale = useLocale();
  const texts = sharingTexts[locale];
  const me = useStore(store, state => state.me);
  const peopleNames = useStore(store, state => state.peopleNames);
  if (sharedWith.length === 0) return <p class="field-hint">{texts.nobodyYet}</p>;
  return (
    <ul class="sharing-members" aria-label={texts.members}>
      {sharedWith.map(member => {
        const name = nameOfMember({ me, peopleNames }, member, locale);
        return (
          <li key={member} data-testid="sharing-member" data-member={member}>
            <span>{name}</span>
            <button
              type="button"
              class="icon-button small"
              disabled={sharing.isBusy}
              title={texts.removeName(name)}
              aria-label={texts.removeName(name)}
              data-testid="remove-member"
              onClick={() => void sharing.share({ visibility: 'shared', sharedWith: sharedWith.filter(other => other !== member) })}
            >
              <Icon name="close" />
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function AddMember({ sharedWith, store, sharing }: MemberProps) {
  const texts = sharingTexts[useLocale()];
  const own = useStore(store, ({ me }) => me?.keyName ?? '');
  return (
    <PersonForm
      class="sharing-add"
      store={store}
      label={texts.addTitle}
      placeholder={texts.member}
      known={[own, ...sharedWith]}
      testId="sharing-person"
      onAdd={member => sharing.share({ visibility: 'shared', sharedWith: [...sharedWith, member] })}
    >
      <button type="submit" class="button" disabled={sharing.isBusy} data-testid="sharing-add">
        {texts.add}
      </button>
    </PersonForm>
  );
}
