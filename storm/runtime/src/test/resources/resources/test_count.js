// Counts words, and emits each word with its count.
const storm = require('./storm');

class Count extends storm.BasicBolt {
    constructor() {
        super();
        this.counts = new Map();
    }

    process(tuple, done) {
        const word = tuple.values[0];
        const count = (this.counts.get(word) || 0) + 1;
        this.counts.set(word, count);
        this.emit({tuple: [word, count], anchorTupleId: tuple.id}, () => {});
        done();
    }
}

new Count().run();
