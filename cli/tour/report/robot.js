// The mechanism in each contact set.

function robotPanel(tour) {
  const views = [];
  const figures = tour.sets.map((set) => {
    const canvas = html('canvas', {
      class: 'robot',
      tabindex: 0,
      role: 'img',
      'aria-label':
          `${tour.model.name}, ${set.name}: ${countedText(set.contacts, 'contact')}. Arrow keys turn the view.`
    });
    views.push(new RobotView(canvas, set.drawing));
    return html(
        'figure', {style: 'margin:0'}, canvas,
        html(
            'figcaption', {class: 'note', style: 'margin-top:6px'}, html('b', {}, `${set.name}: `),
            `${countedText(set.constraints.length, 'constraint')}, ${countedText(set.rows.length, 'row')}. ${
                set.how}`));
  });
  const draw = () => views.forEach((view) => view.draw());
  const section = panel(
      'robot', 'The mechanism and its contacts',
      'Collision shapes, or bones where there are none. Orange: contact points with their normals. Violet: closed loops. Drag to turn.',
      html('div', {class: 'pair'}, figures));
  return {section, draw};
}
