import { useLocale } from '../../i18n/language_context';
import { useResource } from '../../ops/parts/use_resource';
import { listAgents, listModels } from './replay_api';
import { replayTexts } from './replay_texts';

interface FieldProps {
  value: string;
  onChange: (value: string) => void;
}

/** Chooses whose answers a replay uses: those of the recording (''), or of a model. */
export function ModelField(props: FieldProps) {
  const texts = replayTexts[useLocale()];
  const models = useResource('models', listModels);
  return <ChoiceField {...props} id="replay-model" label={texts.answersOf} none={texts.recorded} options={models.data} />;
}

/** Chooses the agent of a replay: that of the run ('') or another. */
export function AgentField(props: FieldProps) {
  const texts = replayTexts[useLocale()];
  const agents = useResource('agents', listAgents);
  return <ChoiceField {...props} id="replay-agent" label={texts.agent} none={texts.agentOfRun} options={agents.data} />;
}

interface ChoiceFieldProps extends FieldProps {
  id: string;
  label: string;
  /** Text of the empty choice. */
  none: string;
  options: readonly string[] | undefined;
}

function ChoiceField({ id, label, none, options, value, onChange }: ChoiceFieldProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} data-testid={id} onChange={event => onChange(event.currentTarget.value)}>
        <option value="">{none}</option>
        {options?.map(option => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    </div>
  );
}
