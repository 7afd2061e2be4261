"""Emits 0 to 19, each until it is acked. Does not answer at 10, the first time."""
import os
import time

import storm


class Numbers(storm.Spout):
    def initialize(self, conf, context):
        self.todo = list(range(20))

    def nextTuple(self):
        if not self.todo:
            time.sleep(0.01)
            return
        number = self.todo.pop(0)
        if number == 10:
            try:
                os.close(os.open("hung", os.O_CREAT | os.O_EXCL))
                time.sleep(3600)
            except FileExistsError:
                pass
        storm.emit([number], id=number)

    def fail(self, id):
        self.todo.append(id)


Numbers().run()
