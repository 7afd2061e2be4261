"""Splits sentences. "die" ends the process, "hang" stops it from answering: each only where its file is not there yet."""
import os
import time

import storm


class Split(storm.BasicBolt):
    def initialize(self, conf, context):
        self.counted = conf.get("test.counted", False)

    def process(self, tup):
        for word in tup.values[0].split(" "):
            if word in ("die", "hang") and self.first(word):
                if word == "die":
                    os._exit(3)
                time.sleep(3600)
            storm.emit([word])
        if self.counted:
            storm.rpcMetrics("sentences", 1)

    @staticmethod
    def first(word):
        try:
            os.close(os.open("done-" + word, os.O_CREAT | os.O_EXCL))
            return True
        except FileExistsError:
            return False


Split().run()
