import type { ChatController } from '../../chat/chat_controller';
import { SelectField } from '../../components/basic/form_field';
import { useLocale } from '../../i18n/language_context';
import { listSpeechWays, type SpeechWay } from '../../platform/speech_ways';
import { useStore } from '../../platform/store';
import { useVoices } from './read_button';
import { type VoiceTexts, voiceTexts } from './voice_texts';

/** Says where spoken words go, lets the person choose where there is a choice, and switches the reading of answers. */
export function VoiceSettings({ controller }: { controller: ChatController }) {
  const { preferences, store } = controller;
  const texts = voiceTexts[useLocale()];
  const model = useStore(store, state => state.info?.transcription?.model);
  const { speechWay, readSpoken } = useStore(preferences, state => state);
  const hasVoices = useVoices();
  const ways = listSpeechWays(model !== undefined);
  const way = ways.find(other => other === speechWay) ?? ways[0];
  return (
    <>
      {way && ways.length > 1 ? (
        <SelectField
          label={texts.way}
          hint={whereOf(way, model, texts)}
          value={way}
          options={ways.map(value => ({ value, text: texts.ways[value] }))}
          testId="setting-speech-way"
          onChange={value => preferences.set({ speechWay: value })}
        />
      ) : (
        <p class="settings-about" data-testid="speech-way">
          {way ? whereOf(way, model, texts) : texts.noWay}
        </p>
      )}
      <label class="settings-check">
        <input
          type="checkbox"
          checked={readSpoken === 'on'}
          disabled={!hasVoices}
          data-testid="setting-read-spoken"
          onChange={event => preferences.set({ readSpoken: event.currentTarget.checked ? 'on' : 'off' })}
        />
        {texts.readSpoken}
      </label>
      <p class="field-hint">{hasVoices ? texts.readAbout : texts.noVoices}</p>
    </>
  );
}

const whereOf = (way: SpeechWay, model: string | undefined, texts: VoiceTexts): string =>
  way === 'gateway' ? texts.whereGateway(model ?? '') : texts.whereBrowser;
