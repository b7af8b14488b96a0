# fuzz.mk - included by the Makefile: libFuzzer targets, and the inputs that they found.

replay:
	@CC="$(CC)" sh tests/crashers.sh
fuzz:
	@sh fuzz/run.sh $(T) $(or $(S),60)

# Every target for S seconds, JOBS of them at a time: findings, executions per second, edges reached.
fuzz-all:
	@sh fuzz/seeds.sh
	@printf '%s\n' $(patsubst fuzz/fuzz_%.c,%,$(wildcard fuzz/fuzz_*.c)) | xargs -P $(or $(JOBS),2) -I '{}' sh fuzz/run.sh '{}' $(or $(S),60)

# Coverage of each parsing source by the targets, after S seconds each; fails below LEAST percent.
fuzz-reach:
	@$(PYTHON) fuzz/reach.py --seconds $(or $(S),0) --least $(or $(LEAST),0) $(T)
.PHONY: fuzz fuzz-all fuzz-reach replay
