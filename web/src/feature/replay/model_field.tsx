import { useLocale } from '../../i18n/language_context';
import { useResource } from '../../ops/parts/use_resource';
import { listModels } from './replay_api';
import { replayTexts } from './replay_texts';

/** Chooses whose answers a replay uses: those of the recording (''), or of a model. */
export function ModelField({ value, onChange }: { value: string; onChange: (model: string) => void }) {
  const texts = replayTexts[useLocale()];
  const models = useResource('models', listModels);
  return (
    <div class="field">
      <label for="replay-model">{texts.answersOf}</label>
      <select id="replay-model" value={value} data-testid="replay-model" onChange={event => onChange(event.currentTarget.value)}>
        <option value="">{texts.recorded}</option>
        {models.data?.map(id => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
    </div>
  );
}
