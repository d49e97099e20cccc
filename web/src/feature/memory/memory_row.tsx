import type { ChatController } from '../../chat/chat_controller';
import { RelativeTime } from '../../components/basic/relative_time';
import { EditableRow } from '../../components/list/editable_row';
import { useLocale } from '../../i18n/language_context';
import { onPlainClick } from '../../platform/plain_click';
import { ROOT } from '../../platform/root';
import type { Memory } from './memory_api';
import { MemoryForm } from './memory_form';
import { memoryTexts } from './memory_texts';

/** Characters of a memory that name it to screen readers. */
const MAX_NAME = 60;

interface MemoryRowProps {
  memory: Memory;
  controller: ChatController;
  onChange: (memory: Memory) => void;
  onForget: () => void;
}

/** Shows one memory, or the form that edits it. */
export function MemoryRow({ memory, controller, onChange, onForget }: MemoryRowProps) {
  const texts = memoryTexts[useLocale()];
  const form = (close: () => void) => (
    <MemoryForm
      memory={memory}
      onSaved={next => {
        close();
        onChange(next);
      }}
      onBack={close}
    />
  );
  return (
    <EditableRow
      testId="memory"
      data={{ 'data-kind': memory.kind }}
      name={memory.text.slice(0, MAX_NAME)}
      edit={texts.editMemory}
      remove={{ label: texts.forget, testId: 'forget-memory' }}
      onRemove={onForget}
      form={form}
    >
      <p class="memory-text">{memory.text}</p>
      <Facts memory={memory} controller={controller} />
    </EditableRow>
  );
}

/** Shows the kind, where the memory comes from, and when it was changed and used. */
function Facts({ memory, controller }: Pick<MemoryRowProps, 'memory' | 'controller'>) {
  const texts = memoryTexts[useLocale()];
  const { source, updatedAt, lastUsedAt } = memory;
  const { sessionId } = source;
  return (
    <p class="row-facts">
      <span class="tag">{texts.kind[memory.kind]}</span>
      {source.tainted && (
        <span class="tag warn" title={texts.taintedTitle}>
          {texts.tainted}
        </span>
      )}
      <span>
        {source.by === 'person' ? texts.byPerson : texts.byAgent}
        {sessionId && (
          <>
            {' '}
            <a href={`${ROOT}?session=${encodeURIComponent(sessionId)}`} onClick={onPlainClick(() => controller.open(sessionId))}>
              {texts.inChat}
            </a>
          </>
        )}
      </span>
      <span>
        {texts.changed} <RelativeTime iso={updatedAt} />
      </span>
      {lastUsedAt && (
        <span>
          {texts.lastUsed} <RelativeTime iso={lastUsedAt} />
        </span>
      )}
    </p>
  );
}
