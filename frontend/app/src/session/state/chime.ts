/** A short, soft sound: someone asks for the word. Browsers allow it once their user has clicked anywhere on the page. */
const NOTES_HZ = [660, 880];
const NOTE_SECONDS = 0.14;
const LOUDNESS = 0.08;

let audio: AudioContext | null = null;

export function chime(): void {
  audio ??= new AudioContext();
  const { destination, currentTime } = audio;
  void audio.resume();
  const gain = audio.createGain();
  gain.connect(destination);
  const end = currentTime + NOTES_HZ.length * NOTE_SECONDS;
  gain.gain.setValueAtTime(LOUDNESS, currentTime);
  gain.gain.linearRampToValueAtTime(0, end);
  for (const [i, hertz] of NOTES_HZ.entries()) {
    const note = audio.createOscillator();
    note.frequency.value = hertz;
    note.connect(gain);
    note.start(currentTime + i * NOTE_SECONDS);
    note.stop(currentTime + (i + 1) * NOTE_SECONDS);
  }
}
