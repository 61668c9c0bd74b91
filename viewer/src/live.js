// A simulation that runs: frames come as server-sent events, and commands go back.

export class Live {
  // `arrived` gets frames, structures and their indices, and whether time has begun anew; `connected` is called before the first of them, since
  // who connects again gets everything again; `paced` gets its speed, `status` its state and a message.
  constructor({connected, arrived, paced, status}) {
    this.state = 'connecting';
    this.status = (state, message = '') => {
      this.state = state;
      status(state, message);
    };
    this.source = new EventSource('/events');
    this.source.onopen = connected;
    this.source.onmessage = (event) => {
      const {
        frames = [],
        structures = [],
        structures_at: places = [],
        restart = false,
        status: state,
        message = '',
        speed
      } = JSON.parse(event.data);
      if (frames.length || structures.length || restart) arrived(frames, structures, places, restart);
      if (speed && speed !== this.speed) paced(this.speed = speed);
      if (state && (state !== this.state || message)) this.status(state, message);
    };
    this.source.onerror = () => this.status('disconnected', 'no connection; trying again');
  }

  get running() { return this.state === 'running'; }

  async send(command, value) {
    try {
      const body = JSON.stringify(value === undefined ? {command} : {command, value});
      const answer = await fetch('/control', {method: 'POST', headers: {'Content-Type': 'application/json'}, body});
      if (!answer.ok) this.status(this.state, `${command} was refused: ${await answer.text()}`);
    } catch (error) {
      this.status('disconnected', `${command} did not arrive: ${error.message}`);
    }
  }
}
