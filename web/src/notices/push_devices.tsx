import { useEffect, useState } from 'preact/hooks';
import { RelativeTime } from '../components/basic/relative_time';
import { useLocale } from '../i18n/language_context';
import { listDevices, type PushState, removeDevice, setPreview } from '../push/push_device';
import { noticeTexts } from './notice_texts';
import './push_devices.css';

type Device = Awaited<ReturnType<typeof listDevices>>[number];

interface PushDevicesProps {
  /** Of this browser: the list is read again when it changes. */
  state: PushState | undefined;
  onTurnOff: () => void;
  onProblem: (error: unknown) => void;
}

/** Lists the devices of the person with push, and chooses how much this one shows. */
export function PushDevices({ state, onTurnOff, onProblem }: PushDevicesProps) {
  const locale = useLocale();
  const texts = noticeTexts[locale].push;
  const [devices, setDevices] = useState<readonly Device[]>([]);
  const read = () => listDevices().then(setDevices, onProblem);
  useEffect(() => void read(), [state]);
  if (devices.length === 0) return null;
  const here = devices.find(({ isHere }) => isHere);
  const changePreview = async (preview: boolean) => {
    setDevices(devices.map(device => (device.isHere ? { ...device, preview } : device)));
    await setPreview(preview, locale).catch(onProblem);
    await read();
  };
  const remove = async ({ id, isHere }: Device) => {
    if (isHere) return onTurnOff();
    await removeDevice(id).catch(onProblem);
    await read();
  };
  return (
    <>
      {here && (
        <>
          <label class="settings-check">
            <input
              type="checkbox"
              checked={!here.preview}
              data-testid="setting-push-secret"
              aria-describedby="push-secret-about"
              onChange={event => void changePreview(!event.currentTarget.checked)}
            />
            {texts.secret}
          </label>
          <p class="field-hint" id="push-secret-about">
            {texts.secretAbout}
          </p>
        </>
      )}
      <div>
        <h3 class="push-devices-title" id="push-devices-title">
          {texts.devices}
        </h3>
        <ul class="push-devices" aria-labelledby="push-devices-title" data-testid="push-devices">
          {devices.map(device => (
            <DeviceRow key={device.id} device={device} onRemove={() => void remove(device)} />
          ))}
        </ul>
      </div>
    </>
  );
}

function DeviceRow({ device: { name, host, isHere, createdAt, lastUsedAt }, onRemove }: { device: Device; onRemove: () => void }) {
  const texts = noticeTexts[useLocale()].push;
  const shown = name ?? host;
  return (
    <li>
      <div>
        <span>{shown}</span>
        {isHere && <span class="push-device-here">{texts.here}</span>}
        <p class="field-hint">
          {texts.since} <RelativeTime iso={createdAt} /> · {lastUsedAt ? texts.last : texts.never}
          {lastUsedAt && (
            <>
              {' '}
              <RelativeTime iso={lastUsedAt} />
            </>
          )}
        </p>
      </div>
      <button type="button" class="button" aria-label={texts.removeDevice(shown)} data-testid="remove-device" onClick={onRemove}>
        {texts.remove}
      </button>
    </li>
  );
}
