// The moment that is shown: any one, or one after another as time goes by.

export class Player {
  // `show` gets the moment: {index, share, frame, next}, `share` of the way from `frame` to `next`. `changed` is called when
  // playing starts or ends.
  constructor(recording, show, changed) {
    Object.assign(this, {recording, show, changed, time: recording.timeOf(0), index: 0, speed: 1, playing: false});
  }

  get end() { return this.recording.timeOf(this.recording.last); }

  seek(index) {
    this.index = Math.max(0, Math.min(this.recording.last, index));
    this.time = this.recording.timeOf(this.index);
    this.present(0);
  }

  // Between frames too.
  seekTime(time) {
    const {recording} = this;
    this.time = Math.max(recording.timeOf(0), Math.min(this.end, time));
    this.index = recording.indexAt(this.time);
    const from = recording.timeOf(this.index), to = recording.timeOf(Math.min(recording.last, this.index + 1));
    this.present(to > from ? (this.time - from) / (to - from) : 0);
  }

  present(share) {
    const {frames, last} = this.recording;
    const next = frames[Math.min(last, this.index + 1)];
    this.show({index: this.index, time: this.time, share, frame: frames[this.index] ?? null, next});
  }

  step(count) {
    this.pause();
    this.seek(this.index + count);
  }

  toggle() { this.playing ? this.pause() : this.play(); }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.changed();
  }

  play() {
    if (this.playing || this.recording.last < 1) return;
    if (this.time >= this.end) this.seek(0);
    this.playing = true;
    this.changed();
    let last = null;
    const tick = (now) => {
      if (!this.playing) return;
      this.seekTime(this.time + (last === null ? 0 : this.speed * (now - last) / 1000));
      last = now;
      if (this.time >= this.end) return this.pause();
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }
}
