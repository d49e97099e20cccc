import { Icon } from '../../components/basic/icon';
import { useLocale } from '../../i18n/language_context';
import type { ApprovalItem, DelegateItem } from '../../state/view_types';
import { CrewCard, type CrewCardProps } from './crew_card';
import { crewTexts } from './crew_texts';
import './crew.css';

export interface CrewCardsProps extends Pick<CrewCardProps, 'clockOffsetMs' | 'controller' | 'renderStep'> {
  items: readonly DelegateItem[];
  /** The approvals of the members, decided ones too. */
  approvals: readonly ApprovalItem[];
  /** Number of further tasks that no member has begun. */
  waitingTasks: number;
}

/** Shows tasks that were delegated one after the other or at the same time, side by side where there is room. */
export function CrewCards({ items, approvals, waitingTasks, ...rest }: CrewCardsProps) {
  const texts = crewTexts[useLocale()];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is a part of a form
    <div class={items.length > 1 ? 'crew-cards several' : 'crew-cards'} role="group" aria-label={texts.crew}>
      {items.map(item => (
        <CrewCard key={item.id} item={item} approvals={approvals.filter(({ childRunId }) => childRunId === item.childRunId)} {...rest} />
      ))}
      {waitingTasks > 0 && (
        <p class="crew-waiting" data-testid="crew-waiting">
          <Icon name="clock" />
          {texts.tasksWait(waitingTasks)}
        </p>
      )}
    </div>
  );
}
