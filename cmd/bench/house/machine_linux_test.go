package house_test

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"rostrum/cmd/bench/house"
)

// enough is more than this test's process has used before.
const enough = 50 * time.Millisecond

func TestAFamilysTimeHasThatOfItsChildrenAlsoOfThoseThatEnded(t *testing.T) {
	family := func() time.Duration {
		cpu, err := house.FamilyCPU(os.Getpid())
		if err != nil {
			t.Fatal(err)
		}
		return cpu
	}
	spin := exec.Command("sh", "-c", "while :; do :; done")
	if err := spin.Start(); err != nil {
		t.Fatal(err)
	}
	own := func() time.Duration {
		u, err := house.UsageOf(os.Getpid())
		if err != nil {
			t.Fatal(err)
		}
		return u.CPU
	}
	for family()-own() < enough { // ends once the child is seen at work
	}
	if err := spin.Process.Kill(); err != nil {
		t.Error(err)
	}
	if err := spin.Wait(); err == nil {
		t.Error("what was killed ended well")
	}
	if cpu := family() - own(); cpu < enough/2 { // this process went on between the two readings
		t.Errorf("the time of a child that ended is lost: %s is left", cpu)
	}
	if _, err := house.FamilyCPU(-1); err == nil {
		t.Error("nobody's family was found")
	}
}

func TestTheMachineIsBusyWhereAProcessIs(t *testing.T) {
	first, err := house.MachineUsage()
	if err != nil {
		t.Fatal(err)
	}
	last, n := first, 0
	for ; last.Busy <= first.Busy; n++ { // ends once this is seen at work
		if last, err = house.MachineUsage(); err != nil {
			t.Fatal(err)
		}
	}
	if last.Idle < first.Idle || last.Stolen < first.Stolen {
		t.Errorf("time runs backwards: %+v, then %+v", first, last)
	}
}
